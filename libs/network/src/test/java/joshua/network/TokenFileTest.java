package joshua.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import joshua.kernel.Role;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFileTest {
  @TempDir private Path directory;
  private final AtomicLong nanos = new AtomicLong();
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = directory.resolve("tokens");
  }

  static String line(String token, String clientId, String role) throws Exception {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(token.getBytes("UTF-8"));
    return HexFormat.of().formatHex(hash) + " " + clientId + " " + role + "\n";
  }

  @Test
  void aTokenFixesIdentityAndRole() throws Exception {
    Files.writeString(file, "# who may call\n\n" + line("t0k", "alice", "operator"));
    TokenFile tokens = TokenFile.open(file, nanos::get);
    assertThat(tokens.caller("Bearer t0k", "c"))
        .contains(new Caller(Optional.of("alice"), Role.OPERATOR, "c"));
    assertThat(tokens.caller("bearer t0k", "c")).isPresent();
    for (String wrong : new String[] {"Bearer other", "Basic t0k", "t0k", "", "Bearer "}) {
      assertThat(tokens.caller(wrong, "c")).isEmpty();
    }
    assertThat(tokens.caller(null, "c")).isEmpty();
  }

  @Test
  void aChangedFileIsInForceASecondLater() throws Exception {
    Files.writeString(file, line("old", "alice", "operator"));
    TokenFile tokens = TokenFile.open(file, nanos::get);
    Files.writeString(file, line("new", "bob-2", "viewer"));
    assertThat(tokens.caller("Bearer old", "c")).isPresent();
    nanos.addAndGet(TokenFile.LOOK_AGAIN.toNanos());
    assertThat(tokens.caller("Bearer old", "c")).isEmpty();
    assertThat(tokens.caller("Bearer new", "c")).isPresent();
  }

  @Test
  void aFaultyOrMissingChangeLeavesTheTokensInForce() throws Exception {
    Files.writeString(file, line("old", "alice", "operator"));
    TokenFile tokens = TokenFile.open(file, nanos::get);
    Files.writeString(file, "half a li");
    nanos.addAndGet(TokenFile.LOOK_AGAIN.toNanos());
    assertThat(tokens.caller("Bearer old", "c")).isPresent();
    Files.delete(file);
    nanos.addAndGet(TokenFile.LOOK_AGAIN.toNanos());
    assertThat(tokens.caller("Bearer old", "c")).isPresent();
  }

  @Test
  void everyFaultyLineIsNamedAtTheStart() throws Exception {
    String good = line("t", "alice", "admin");
    Files.writeString(
        file,
        good
            + "abc alice admin\n"
            + good.replace("alice", "-alice")
            + "\n"
            + "one two\n"
            + line("u", "bob", "king")
            + good);
    assertThatThrownBy(() -> TokenFile.open(file, nanos::get))
        .isInstanceOf(TokenFile.Faulty.class)
        .hasMessageContainingAll(
            "Line 2 of",
            "64 hex digits",
            "Line 3",
            "client id",
            "Line 5",
            "2 words",
            "Line 6",
            "viewer, operator, admin",
            "Line 7",
            "repeats");
    assertThatThrownBy(() -> TokenFile.open(directory.resolve("none"), nanos::get))
        .hasMessageContaining("can't be read");
  }
}
