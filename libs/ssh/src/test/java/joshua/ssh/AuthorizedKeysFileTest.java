package joshua.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthorizedKeysFileTest {
  private static final String KEY =
      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ann\n";

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = directory.resolve("authorized_keys");
    Files.writeString(file, KEY);
    mode(file, "rw-r--r--");
  }

  private static void mode(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  @Test
  void itIsRead() throws Exception {
    assertThat(AuthorizedKeysFile.read(file).keys()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-rw-r--", "rw-r--rw-"})
  void whatOthersCanWriteDoesntCount(String mode) throws Exception {
    mode(file, mode);
    assertThatThrownBy(() -> AuthorizedKeysFile.read(file))
        .hasMessageContaining("can be written by others, so no key in it counts; do: chmod go-w ")
        .hasMessageEndingWith("authorized_keys");
  }

  @Test
  void neitherDoesWhatOthersCanReplace() throws Exception {
    mode(directory, "rwxrwxr-x");
    assertThatThrownBy(() -> AuthorizedKeysFile.read(file))
        .hasMessageEndingWith("chmod go-w " + directory.toRealPath());
    mode(directory, "rwxr-xr-x");
  }

  @Test
  void theModesOfWhatALinkLeadsToCount() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);
    assertThat(AuthorizedKeysFile.read(link).keys()).hasSize(1);
    mode(file, "rw-rw-rw-");
    assertThatThrownBy(() -> AuthorizedKeysFile.read(link)).hasMessageContaining("chmod go-w");
  }

  @Test
  void itMustBeThereAndAFile() {
    assertThatThrownBy(() -> AuthorizedKeysFile.read(directory.resolve("none")))
        .hasMessageContaining("none; joshua keys add makes it");
    assertThatThrownBy(() -> AuthorizedKeysFile.read(directory))
        .hasMessageContaining("isn't a regular file");
  }

  @Test
  void aFileHasAMostBytes() throws Exception {
    Files.writeString(file, KEY + "#".repeat(AuthorizedKeys.MAX_BYTES - KEY.length()));
    assertThat(AuthorizedKeysFile.read(file).keys()).hasSize(1);
    Files.writeString(file, KEY + "#".repeat(AuthorizedKeys.MAX_BYTES - KEY.length() + 1));
    assertThatThrownBy(() -> AuthorizedKeysFile.read(file))
        .hasMessageContaining("has more than 1048576 bytes");
  }

  @Test
  @TriesLimit("ssh.keys")
  void aFileHasAMostKeys() throws Exception {
    Files.writeString(file, KEY.repeat(AuthorizedKeys.MAX_KEYS));
    assertThat(AuthorizedKeysFile.read(file).keys()).hasSize(AuthorizedKeys.MAX_KEYS);
    Files.writeString(file, KEY.repeat(AuthorizedKeys.MAX_KEYS + 1));
    assertThatThrownBy(() -> AuthorizedKeysFile.read(file))
        .hasMessageContaining("has more than 1000 keys");
  }

  @Test
  void aFileIsUtf8() throws Exception {
    Files.write(file, new byte[] {'#', (byte) 0xe4, '\n'});
    assertThatThrownBy(() -> AuthorizedKeysFile.read(file)).hasMessageContaining("isn't UTF-8");
  }
}
