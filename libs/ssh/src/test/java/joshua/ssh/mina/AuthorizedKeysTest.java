package joshua.ssh.mina;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import joshua.kernel.Role;
import joshua.network.Access;
import joshua.ssh.mina.AuthorizedKeys.AuthorizedKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which lines of which files let somebody in. */
class AuthorizedKeysTest {
  private static final Access ACCESS = new Access(Set.of("grace"));
  private static final String KEY =
      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIXSgYFUWdHqBwdxDdVvWvvRuzOpWqHR0kRrTVRzMlJS";

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "KEY                                               | key-JhBnDWNZfrbO | VIEWER",
        "KEY ann                                           | ann              | VIEWER",
        "KEY ann@laptop                                    | ann.laptop       | VIEWER",
        "KEY Ann from next door                            | key-JhBnDWNZfrbO | VIEWER",
        "KEY grace                                         | key-JhBnDWNZfrbO | VIEWER",
        "environment=\"JOSHUA_ROLE=admin\" KEY ann         | ann              | ADMIN",
        "environment=\"A=b\",environment=\"JOSHUA_ROLE=operator\" KEY ann | ann | OPERATOR",
        "from=\"10.0.0.0/8,!10.1.1.1\",expiry-time=\"20300101\" KEY ann   | ann | VIEWER",
        "no-port-forwarding,no-x11-forwarding KEY ann      | ann              | VIEWER",
      })
  void aKeyHasANameAndARole(String line, String name, Role role) {
    AuthorizedKey key = AuthorizedKeys.key(line.replace("KEY", KEY), ACCESS).orElseThrow();
    assertThat(key.name()).isEqualTo(name);
    assertThat(key.role()).isEqualTo(role);
    assertThat(key.fingerprint()).isEqualTo("SHA256:JhBnDWNZfrbOPnQIVcSYCTqMYeRtsnPLx507vqR/Tew");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nonsense                                          | it must be [options] type key",
        "from=\"10.0.0.1 KEY a\"b                           | it must be [options] type key",
        "ssh-ed25519 AAAA                                  | it must be [options] type key",
        "-----BEGIN OPENSSH PRIVATE KEY-----               | it must be [options] type key",
        "command=\"a\" KEY                                 | the option command can't be kept to",
        "command=\"open KEY                                | the option command can't be kept to",
        "restrict KEY                                      | the option restrict can't be kept to",
        "cert-authority KEY                                | the option cert-authority can't",
        "FROM=\"10.0.0.1\" KEY                             | the option FROM can't be kept to",
        "environment=\"JOSHUA_ROLE=root\" KEY              | JOSHUA_ROLE must be one of viewer",
        "environment=\"JOSHUA_ROLE=admin,JOSHUA_ROLE=viewer\" KEY | JOSHUA_ROLE must be one of",
      })
  void aLineThatCantBeKeptToDoesntCount(String line, String sentence) {
    String wrong = line.replace("KEY", KEY);
    AuthorizedKeys keys =
        AuthorizedKeys.parse("FILE", "# ours\n" + wrong + "\n\n" + KEY + " ann", ACCESS);
    String fault = "Line 2 of FILE doesn't count: " + sentence;
    assertThat(keys.faults()).singleElement().asString().startsWith(fault);
    assertThat(keys.keys()).extracting(AuthorizedKey::name).containsExactly("ann");
  }

  @Test
  void aLineIsMadeForARole() {
    AuthorizedKey key =
        AuthorizedKeys.key("from=\"10.0.0.1\" " + KEY + " ann@x", ACCESS).orElseThrow();
    assertThat(key.line(Role.ADMIN, Optional.empty()))
        .isEqualTo("environment=\"JOSHUA_ROLE=admin\",from=\"10.0.0.1\" " + KEY + " ann@x", ACCESS);
    assertThat(key.line(Role.VIEWER, Optional.of("bob")))
        .isEqualTo("environment=\"JOSHUA_ROLE=viewer\",from=\"10.0.0.1\" " + KEY + " bob");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "authorized_keys"})
  void whatOthersMayChangeLetsNobodyIn(String which) throws IOException {
    Path file = Files.writeString(directory.resolve("authorized_keys"), KEY + "\n");
    assertThat(AuthorizedKeys.read(file, ACCESS).keys()).hasSize(1);
    Path changed = directory.resolve(which);
    Files.setPosixFilePermissions(changed, PosixFilePermissions.fromString("rwx-w----"));
    assertThatThrownBy(() -> AuthorizedKeys.read(file, ACCESS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("can be written by others, so no key counts. Run: chmod go-w ");
  }

  @Test
  void aFileThatIsntThereHasNoKeysAndADirectoryIsNone() throws IOException {
    assertThat(AuthorizedKeys.read(directory.resolve("none"), ACCESS).keys()).isEmpty();
    Path aDirectory = Files.createDirectory(directory.resolve("keys"));
    assertThatThrownBy(() -> AuthorizedKeys.read(aDirectory, ACCESS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("isn't a file");
  }

  @Test
  void aFileOfSomebodyElseLetsNobodyIn() throws IOException {
    Path file = Files.writeString(directory.resolve("authorized_keys"), KEY + "\n");
    assumeTrue(givenAway(file), "only root may give files away");
    assertThatThrownBy(() -> AuthorizedKeys.read(file, ACCESS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("belongs to another user");
  }

  private static boolean givenAway(Path file) {
    try {
      Files.setAttribute(file, "unix:uid", 54_321);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
