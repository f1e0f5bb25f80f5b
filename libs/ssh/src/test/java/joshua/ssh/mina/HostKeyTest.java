package joshua.ssh.mina;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import joshua.ssh.KeysForTests;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostKeyTest {
  @TempDir private Path directory;

  private Path file() {
    return directory.resolve(SshConfig.HOST_KEY);
  }

  @Test
  void itIsMadeOnceForItsOwnerOnlyAndAsOpenSshReadsIt() throws Exception {
    String made = KeyUtils.getFingerPrint(HostKey.open(file()).getPublic());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
    assertThat(KeysForTests.describe(file())).contains("256", made, "(ED25519)");
    assertThat(KeyUtils.getFingerPrint(HostKey.open(file()).getPublic())).isEqualTo(made);
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(file());
    }
  }

  @Test
  void itsDirectoryIsMadeToo() throws Exception {
    Path file = directory.resolve("data").resolve("rogers").resolve(SshConfig.HOST_KEY);
    HostKey.open(file);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
        .isEqualTo("rwx------");
  }

  @Test
  void oneThatOthersCanReadIsRefused() throws Exception {
    HostKey.open(file());
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r-----"));
    assertThatThrownBy(() -> HostKey.open(file()))
        .hasMessageContaining("can be read by others")
        .hasMessageContaining("chmod 600 " + file());
  }

  @Test
  void whatIsNoSuchKeyIsRefusedAndStays() throws Exception {
    Files.writeString(file(), "rubbish");
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-------"));
    assertThatThrownBy(() -> HostKey.open(file())).hasMessageContaining("isn't an ed25519 key");
    assertThat(Files.readString(file())).isEqualTo("rubbish");
    Files.delete(file());
    KeysForTests.make(file(), "other", "-t", "ecdsa");
    assertThatThrownBy(() -> HostKey.open(file())).hasMessageContaining("isn't an ed25519 key");
  }

  @Test
  void oneOfSshKeygenIsTakenAsItIs() throws Exception {
    KeysForTests.make(file(), "mine", "-t", "ed25519");
    assertThat(KeyUtils.getFingerPrint(HostKey.open(file()).getPublic()))
        .isEqualTo(KeysForTests.describe(file())[1]);
  }
}
