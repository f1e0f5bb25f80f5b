package joshua.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import joshua.testing.TestRequirements;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what {@code ./joshua init} creates, and what it leaves alone. */
class InitIT extends HouseWithoutJdk {
  @Test
  void everythingIsMadeForTheOwnerAloneWithoutAJdk() throws Exception {
    Outcome outcome = init();

    assertThat(outcome.status()).as(outcome.err()).isZero();
    assertThat(outcome.err()).isEmpty();
    assertThat(made()).containsOnlyKeys(MADE);
    for (String file : MADE) {
      assertThat(outcome.out()).contains("wrote       " + file + "\n");
      assertThat(mode(file)).as(file).isEqualTo("rw-------");
    }
    for (String directory :
        List.of(
            "configs/secrets", "configs/secrets/model", "configs/secrets/ssh", "configs/redis")) {
      assertThat(mode(directory)).as(directory).isEqualTo("rwx------");
    }
  }

  private String mode(String file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve(file)));
  }

  @Test
  void secretsAre256RandomBitsAndKnownByTheirHashes() throws Exception {
    init();

    assertThat(content(ACL)).startsWith("user default off ").doesNotContain("nopass", "+@");
    for (String user : USERS) {
      assertThat(password(user)).matches("[0-9a-f]{64}");
      assertThat(content(ACL).lines())
          .filteredOn(line -> line.startsWith("user " + user + " on #"))
          .singleElement()
          .asString()
          .contains(" on #" + sha256(password(user)) + " resetkeys resetchannels -@all ");
    }
    assertThat(USERS.stream().map(this::passwordUnchecked).distinct()).hasSize(USERS.size());
    String token = content("configs/secrets/admin.token").strip();
    assertThat(token).matches("jt_[0-9a-f]{64}");
    String metrics = content("configs/secrets/metrics.token").strip();
    assertThat(metrics).matches("jt_[0-9a-f]{64}");
    assertThat(content("configs/secrets/clients/tokens"))
        .isEqualTo(sha256(token) + " admin admin\n" + sha256(metrics) + " metrics viewer\n");
    assertThat(content("configs/secrets/ssh/authorized_keys"))
        .matches("environment=\"JOSHUA_ROLE=admin\" ssh-ed25519 [A-Za-z0-9+/=]{68} admin\n");
  }

  private String passwordUnchecked(String user) {
    try {
      return password(user);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void noSecretIsPrintedOrAnArgument() throws Exception {
    Outcome outcome = init();

    String visible =
        outcome.out() + outcome.err() + Files.readString(temp.resolve("calls")) + content(".env");
    assertThat(visible).contains("od -An", "ssh-keygen ");
    for (String user : USERS) {
      assertThat(visible).doesNotContain(password(user), sha256(password(user)));
    }
    assertThat(visible).doesNotContain(content("configs/secrets/admin.token").strip(), "PRIVATE");
  }

  @Test
  void aSecondRunChangesNothing() throws Exception {
    init();
    Map<String, String> before = made();

    Outcome again = init();

    assertThat(again.status()).isZero();
    assertThat(again.out()).contains("left alone  .env\n").doesNotContain("wrote");
    assertThat(made()).isEqualTo(before);
  }

  @Test
  void whatIsThereIsKept() throws Exception {
    Files.createDirectories(home.resolve("configs/secrets/clients"));
    Files.createDirectories(home.resolve("configs/secrets/ssh"));
    Map<String, String> own =
        Map.of(
            ".env", "MINE=1\nMAD_UID=" + owner(),
            "configs/secrets/clients/tokens", "# mine\n",
            "configs/secrets/ssh/authorized_keys", "# mine\n",
            "configs/secrets/redis-guest.password", "tulip-anchor-marble-42\n");
    for (Map.Entry<String, String> file : own.entrySet()) {
      Files.writeString(home.resolve(file.getKey()), file.getValue());
    }

    assertThat(init().status()).isZero();

    assertThat(made()).containsAllEntriesOf(own);
    assertThat(content(ACL)).contains("user guest on #" + sha256("tulip-anchor-marble-42") + " ");
    // Their owner has others: none is created that would go unused.
    assertThat(made())
        .doesNotContainKeys("configs/secrets/admin.token", "configs/secrets/admin_ssh_key");
  }

  @Test
  void aDirectoryThatDockerMadeInPlaceOfAFileGivesWay() throws Exception {
    init();
    Files.delete(home.resolve(ACL));
    Files.createDirectory(home.resolve(ACL));

    Outcome outcome = init();

    assertThat(outcome.status()).as(outcome.err()).isZero();
    assertThat(outcome.out()).contains("removed     " + ACL, "wrote       " + ACL);
    assertThat(home.resolve(ACL)).isNotEmptyFile();
  }

  @Test
  void aDirectoryWithSomethingInItIsNobodysToRemove() throws Exception {
    Path inside = Files.createDirectories(home.resolve(ACL)).resolve("mine");
    Files.writeString(inside, "mine");

    Outcome outcome = init();

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.err()).contains(ACL + " is a directory, where a file belongs.");
    assertThat(inside).hasContent("mine");
  }

  @Test
  void whereThereIsOneProcessorNoContainerMayHaveTwo() throws Exception {
    script(programs.resolve("getconf"), "#!/bin/sh\n[ $1 = _NPROCESSORS_ONLN ] && echo 1\n");

    init();

    assertThat(content(".env"))
        .contains("MAD_REDIS_CPUS=1\nMAD_GRACE_CPUS=1\nMAD_FIEDLER_CPUS=1\nMAD_ROGERS_CPUS=1\n");
  }

  @Test
  void anAclThatIsDeletedIsMadeFromThePasswordsThatAreThere() throws Exception {
    init();
    String before = content(ACL);
    Files.delete(home.resolve(ACL));

    assertThat(init().status()).isZero();

    assertThat(content(ACL)).isEqualTo(before);
  }

  @Test
  void aPasswordThatIsGoneIsNotReplacedWhileTheAclHasItsHash() throws Exception {
    init();
    Path lost = home.resolve("configs/secrets/redis-rogers.password");
    Files.delete(lost);

    Outcome outcome = init();

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.err()).contains("redis-rogers.password is gone", "delete " + ACL);
    assertThat(lost).doesNotExist();
    Files.delete(home.resolve(ACL));
    assertThat(init().status()).isZero();
    assertThat(content(ACL)).contains("user rogers on #" + sha256(password("rogers")) + " ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "fifteen-letters\n",
        "two words that are long enough\n",
        "a-line-of-some-length\nand-a-second-one\n"
      })
  void aPasswordThatIsNoneIsNotTaken(String password) throws Exception {
    Files.createDirectories(home.resolve("configs/secrets"));
    Files.writeString(home.resolve("configs/secrets/redis-fiedler.password"), password);

    Outcome outcome = init();

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.err()).contains("redis-fiedler.password must be one line of 16 to 200");
    assertThat(home.resolve(ACL)).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "changeme-changeme-changeme",
        "Change_Me.0123456789abc",
        "a-good-Password-for-redis",
        "0123-the-secret-of-grace",
        "<your-redis-word-goes-here>",
        "EXAMPLE0EXAMPLE0EXAMPLE0",
        "xxxxxxxxxxxxxxxxxxxxxxxx",
        "1234567890123456"
      })
  void aPlaceholderIsNotTakenForAPassword(String password) throws Exception {
    init();
    Files.writeString(home.resolve("configs/secrets/redis-grace.password"), password + "\n");

    Outcome outcome = init();

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.err())
        .contains("configs/secrets/redis-grace.password holds a placeholder, no secret.");
    Files.delete(home.resolve(ACL));
    assertThat(init().status()).isEqualTo(1);
    assertThat(home.resolve(ACL)).doesNotExist();
  }

  @Test
  void withoutSshKeygenTheRestIsMadeAndTheKeyLater() throws Exception {
    Files.delete(programs.resolve("ssh-keygen"));

    Outcome outcome = init();

    assertThat(outcome.status()).isZero();
    assertThat(outcome.out())
        .contains("left out    configs/secrets/admin_ssh_key: there is no ssh-keygen");
    install("ssh-keygen");
    assertThat(init().out().lines().filter(line -> line.startsWith("wrote")))
        .containsExactly(
            "wrote       configs/secrets/admin_ssh_key",
            "wrote       configs/secrets/ssh/authorized_keys");
  }

  @Test
  void severalAtOnceMakeOneInstallation() throws Exception {
    List<Process> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(start());
    }
    for (Process process : all) {
      assertThat(process.waitFor()).isZero();
    }

    assertThat(made()).containsOnlyKeys(MADE);
    for (String user : USERS) {
      assertThat(content(ACL)).contains("user " + user + " on #" + sha256(password(user)) + " ");
    }
    assertThat(content("configs/secrets/clients/tokens"))
        .startsWith(sha256(content("configs/secrets/admin.token").strip()));
  }

  @Test
  void itTakesNoArguments() throws Exception {
    Outcome outcome = init("--force");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("init takes no arguments (\"--force\" is one)");
    assertThat(init("--help").out()).startsWith("Usage: joshua init\n");
    assertThat(made()).isEmpty();
  }

  @Test
  void gitPassesOverAllThatIsMade() throws Exception {
    Path git = TestRequirements.program("git", "apt-get install git");
    init();
    Files.copy(Path.of("../.gitignore"), home.resolve(".gitignore"));
    String untracked = "";
    for (List<String> words :
        List.of(List.of("init", "-q"), List.of("status", "--porcelain", "--untracked-files=all"))) {
      List<String> command = new ArrayList<>(List.of(git.toString()));
      command.addAll(words);
      Process process = new ProcessBuilder(command).directory(home.toFile()).start();
      untracked = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor()).isZero();
    }

    assertThat(untracked.lines())
        .containsExactlyInAnyOrder("?? .gitignore", "?? configs/init.sh", "?? joshua");
  }
}
