package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import joshua.testing.TestRequirements;
import org.junit.jupiter.api.Test;

/** Tests who owns what {@code ./joshua init} creates, and what it passes to docker-compose. */
class InitOwnersIT extends HouseWithoutJdk {
  /** The files that containers read. */
  private static final List<String> MOUNTED =
      List.of(
          "configs/redis/users.acl",
          "configs/secrets/metrics.token",
          "configs/secrets/model",
          "configs/secrets/redis-fiedler.password",
          "configs/secrets/redis-grace.password",
          "configs/secrets/redis-guest.password",
          "configs/secrets/redis-rogers.password",
          "configs/secrets/ssh",
          "configs/secrets/ssh/authorized_keys",
          "configs/secrets/clients",
          "configs/secrets/clients/tokens");

  private static final int NOBODY = 65_534;

  @Test
  void theEnvTellsComposeWhoseTheSecretsAreAndWhere() throws Exception {
    init();

    assertThat(content(".env"))
        .containsPattern("(?m)^MAD_UID=" + owner() + "$")
        .containsPattern("(?m)^MAD_GID=[1-9][0-9]*$")
        .containsPattern("(?m)^MAD_SECRETS=\\./configs/secrets$")
        .doesNotContain("JOSHUA_");
  }

  @Test
  void noContainerRunsAsRootAndTheirUserOwnsWhatTheyRead() throws Exception {
    Outcome outcome = init();

    for (String file : MOUNTED) {
      assertThat(ownerOf(file)).as(file).isEqualTo(owner());
    }
    for (String own : List.of("admin.token", "admin_ssh_key")) {
      assertThat(ownerOf("configs/secrets/" + own)).as(own).isEqualTo(ownerOf("joshua"));
    }
    assertThat(outcome.out().contains("gave        configs/secrets/clients/tokens to 10001"))
        .isEqualTo(ownerOf("joshua") == 0);
  }

  /** Root isn't available everywhere, but root can act as any user. */
  @Test
  void whoeverIsNotRootOwnsWhatHeMakes() throws Exception {
    int uid = ownerOf("joshua") == 0 ? NOBODY : ownerOf("joshua");
    Outcome outcome = uid == NOBODY ? initBy(uid) : init();

    assertThat(outcome.status()).as(outcome.err()).isZero();
    assertThat(outcome.out()).doesNotContain("gave");
    assertThat(content(".env")).contains("MAD_UID=" + uid + "\n");
    for (String file : MADE) {
      assertThat(ownerOf(file)).as(file).isEqualTo(uid);
    }
  }

  private Outcome initBy(int uid) throws Exception {
    String setpriv = TestRequirements.program("setpriv", "apt-get install util-linux").toString();
    for (Path file : List.of(home, home.resolve("configs"), temp.resolve("calls"))) {
      if (Files.notExists(file)) {
        Files.createFile(file);
      }
      Files.setAttribute(file, "unix:uid", uid);
    }
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
    return outcome(start(List.of(setpriv, "--reuid=" + uid, "--regid=" + uid, "--clear-groups")));
  }

  @Test
  void anEnvThatNamesAnotherUserIsTold() throws Exception {
    Files.writeString(home.resolve(".env"), "MAD_UID=77\n");

    Outcome outcome = init();

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.err())
        .contains(".env has MAD_UID=77, but the secrets belong to user " + owner() + ":");
    assertThat(content(".env")).isEqualTo("MAD_UID=77\n");
  }

  @Test
  void anEnvThatNamesRootIsTold() throws Exception {
    Files.writeString(home.resolve(".env"), "MAD_UID=0\n");

    Outcome outcome = init();

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.err())
        .contains("no container runs as root. Write MAD_UID=" + owner() + ".")
        .doesNotContain("or give");
  }

  @Test
  void theExampleCopiedAsItIsIsTold() throws Exception {
    Files.copy(Path.of("../.env.example"), home.resolve(".env"));

    Outcome outcome = init();

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.err()).contains("no number as MAD_UID", "MAD_UID=" + owner() + " ");
  }
}
