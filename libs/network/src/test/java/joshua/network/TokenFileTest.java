package joshua.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import joshua.kernel.Role;
import joshua.network.Authenticator.Identity;
import joshua.testing.ManualTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of tokens, while it is used and changed (+JN-04). */
class TokenFileTest {
  private static final Access ACCESS = new Access(Set.of("grace"));

  @TempDir private Path directory;
  private final ManualTime time = new ManualTime(Instant.EPOCH);
  private Path file;
  private TokenFile tokens;

  @BeforeEach
  void open() throws IOException {
    file = directory.resolve("tokens");
    Files.writeString(file, "# who\n\n" + line("secret", "ann viewer"));
    tokens = new TokenFile(file, ACCESS, time::nanoTime);
  }

  private static String line(String token, String holder) {
    return TokenFile.hash(token) + " " + holder + "\n";
  }

  private void change(String text) throws IOException {
    Files.writeString(file, text);
    time.advance(Duration.ofSeconds(1));
  }

  private Optional<Identity> holder(String token) {
    return tokens.identity("Bearer " + token);
  }

  @Test
  void tokenStandsForItsHolder() {
    assertThat(holder("secret")).contains(new Identity(Optional.of("ann"), Role.VIEWER));
    assertThat(tokens.identity("bEARER  secret ")).isPresent();
    assertThat(holder("wrong")).isEmpty();
    assertThat(tokens.identity("Basic secret")).isEmpty();
    assertThat(tokens.identity(null)).isEmpty();
  }

  @Test
  void wrongLineSaysWhatIsWrongAtTheStart() throws IOException {
    Files.writeString(
        file,
        "only two\nxyz bob viewer\n"
            + line("a", "-bad- viewer")
            + line("b", "grace viewer")
            + line("c", "bob boss"));
    assertThatThrownBy(() -> new TokenFile(file, ACCESS, time::nanoTime))
        .hasMessageContaining("Line 1 of %s has 2 words".formatted(file))
        .hasMessageContaining("Line 2 ")
        .hasMessageContaining("Line 3 ")
        .hasMessageContaining("Line 4 ")
        .hasMessageContaining("none of viewer, operator, admin");
    Path missing = directory.resolve("missing");
    assertThatThrownBy(() -> new TokenFile(missing, ACCESS, time::nanoTime))
        .hasMessageContaining("can't be read");
  }

  @Test
  void wrongLineRevokesOnlyItself() throws IOException {
    change("nonsense\n" + line("secret", "ann viewer") + line("other", "bob admin"));
    assertThat(holder("secret")).isPresent();
    assertThat(holder("other")).isPresent();
    assertThat(tokens.problem()).isEmpty();
  }

  @Test
  void tokenOfTwoHoldersIsNobodys() throws IOException {
    change(line("secret", "ann viewer") + line("secret", "bob admin"));
    assertThat(holder("secret")).isEmpty();
  }

  @Test
  void fileThatCannotBeReadLeavesWhatWasRead() throws IOException {
    Files.delete(file);
    time.advance(Duration.ofSeconds(1));
    assertThat(holder("secret")).isPresent();
    assertThat(tokens.problem()).isPresent();
    change(line("new", "bob viewer"));
    assertThat(holder("secret")).isEmpty();
    assertThat(holder("new")).isPresent();
    assertThat(tokens.problem()).isEmpty();
  }
}
