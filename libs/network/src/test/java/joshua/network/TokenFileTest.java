package joshua.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import joshua.kernel.Role;
import joshua.testing.TriesLimit;
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

  private void write(String text) throws Exception {
    Files.writeString(file, text);
    nanos.addAndGet(TokenFile.LOOK_AGAIN.toNanos());
  }

  @Test
  void whoWasTakenOutIsOutBesideALineThatIsWrong() throws Exception {
    Files.writeString(file, line("ann", "ann", "operator") + line("bob", "bob", "operator"));
    TokenFile tokens = TokenFile.open(file, nanos::get);
    long before = tokens.generation();
    assertThat(tokens.problem()).isEmpty();

    write("half a li\n" + line("bob", "bob", "viewer") + line("eve", "eve", "admin"));

    assertThat(tokens.caller("Bearer ann", "c")).isEmpty();
    assertThat(tokens.caller("Bearer bob", "c").orElseThrow().role()).isEqualTo(Role.VIEWER);
    assertThat(tokens.caller("Bearer eve", "c")).isPresent();
    assertThat(tokens.generation()).isGreaterThan(before);
    assertThat(tokens.problem().orElseThrow())
        .contains("1 line", "log")
        .doesNotContain(directory.toString());

    write(line("bob", "bob", "viewer"));
    assertThat(tokens.problem()).isEmpty();
    assertThat(tokens.caller("Bearer eve", "c")).isEmpty();
  }

  @Test
  void aTokenThatStandsForTwoIsNobodys() throws Exception {
    Files.writeString(file, line("ann", "ann", "admin"));
    TokenFile tokens = TokenFile.open(file, nanos::get);
    write(line("ann", "ann", "admin") + line("ann", "ann", "viewer") + line("ann", "x", "viewer"));
    assertThat(tokens.caller("Bearer ann", "c")).isEmpty();
    assertThat(tokens.problem()).isPresent();
  }

  @Test
  void bytesThatAreNoTextSpoilTheirLineAlone() throws Exception {
    Files.writeString(file, line("ann", "ann", "admin"));
    TokenFile tokens = TokenFile.open(file, nanos::get);
    Files.write(file, new byte[] {(byte) 0xff, '\n'});
    Files.writeString(file, line("bob", "bob", "admin"), StandardOpenOption.APPEND);
    nanos.addAndGet(TokenFile.LOOK_AGAIN.toNanos());
    assertThat(tokens.caller("Bearer ann", "c")).isEmpty();
    assertThat(tokens.caller("Bearer bob", "c")).isPresent();
  }

  @Test
  @TriesLimit("http.tokens")
  void beyondTheMostTokensLinesDontCount() throws Exception {
    Files.writeString(file, line("ann", "ann", "admin"));
    TokenFile tokens = TokenFile.open(file, nanos::get);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i <= TokenFile.MAX_TOKENS; i++) {
      lines.append(line("t" + i, "c" + i, "viewer"));
    }
    write(lines.toString());
    assertThat(tokens.caller("Bearer t" + (TokenFile.MAX_TOKENS - 1), "c")).isPresent();
    assertThat(tokens.caller("Bearer t" + TokenFile.MAX_TOKENS, "c")).isEmpty();
    assertThat(tokens.problem()).isPresent();
  }

  @Test
  void aFileThatCannotBeReadLeavesTheTokensInForceAndIsAProblem() throws Exception {
    Files.writeString(file, line("old", "alice", "operator"));
    TokenFile tokens = TokenFile.open(file, nanos::get);
    Files.delete(file);
    nanos.addAndGet(TokenFile.LOOK_AGAIN.toNanos());
    assertThat(tokens.caller("Bearer old", "c")).isPresent();
    assertThat(tokens.problem().orElseThrow()).contains("can't be read");
    write(line("new", "bob", "viewer"));
    assertThat(tokens.caller("Bearer old", "c")).isEmpty();
    assertThat(tokens.problem()).isEmpty();
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
        .isInstanceOf(TokenFile.InvalidTokenFileException.class)
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
