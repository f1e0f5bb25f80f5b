package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import joshua.kernel.Json;
import joshua.ssh.AuthorizedKey;
import joshua.ssh.AuthorizedKeysFile;
import joshua.ssh.AuthorizedKeysLocation;
import joshua.testing.TestRequirements;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code joshua keys} with real keys of {@code ssh-keygen} (REQ-JS-06). */
final class KeysCommandIT {
  /** What an editor must leave unchanged: blanks, comments, a line that can't be parsed. */
  private static final String BEFORE =
      "# Admins\n\n  # ann's is on the  safe's stick \t\nssh-nonsense AAAAB3 wrong\n";

  @TempDir private Path home;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = home.resolve("ssh/authorized_keys");
    Files.createDirectories(file.getParent());
    Files.writeString(file, BEFORE);
    mode("rw-r--r--");
  }

  private void mode(String mode) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  /** One call of the program. */
  private record Call(int status, String out, String err) {}

  private Call keys(String... words) {
    TestSurroundings surroundings =
        new TestSurroundings(Map.of("JOSHUA_SSH_AUTHORIZED_KEYS", file.toString()), home);
    List<String> all = new ArrayList<>(List.of("keys"));
    all.addAll(List.of(words));
    int status = surroundings.run(all.toArray(String[]::new));
    return new Call(status, surroundings.out(), surroundings.err());
  }

  private Call done(String... words) {
    Call call = keys(words);
    assertThat(call.status()).as(call.err()).isZero();
    return call;
  }

  private void refused(String sentence, String... words) throws IOException {
    String before = Files.readString(file);
    Call call = keys(words);
    assertThat(call.status()).as(call.out() + call.err()).isEqualTo(1);
    assertThat(call.err()).contains(sentence);
    assertThat(call.out()).isEmpty();
    assertThat(Files.readString(file)).isEqualTo(before);
  }

  /** Creates a key pair; returns the file with its public half. */
  private String keygen(String name, String... options) throws Exception {
    Path program = TestRequirements.program("ssh-keygen", "apt-get install openssh-client");
    List<String> command =
        new ArrayList<>(List.of(program.toString(), "-q", "-N", "", "-C", name, "-f"));
    command.add(home.resolve(name).toString());
    command.addAll(options.length == 0 ? List.of("-t", "ed25519") : List.of(options));
    assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    return name + ".pub";
  }

  /** Bits and fingerprint as {@code ssh-keygen -l} prints them. */
  private List<String> described(String name) throws Exception {
    Process process =
        new ProcessBuilder("ssh-keygen", "-l", "-f", home.resolve(name).toString()).start();
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).isZero();
    return List.of(said.split(" ")).subList(0, 2);
  }

  private AuthorizedKey only() throws Exception {
    List<AuthorizedKey> all = AuthorizedKeysFile.read(file).keys();
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  @Test
  void whereInitHasRunTheFileThatContainersReadIsChangedAndNamed() throws Exception {
    Path made = home.resolve("configs/secrets/ssh/authorized_keys");
    Files.createDirectories(made.getParent());
    Files.setPosixFilePermissions(
        Files.writeString(made, ""), PosixFilePermissions.fromString("rw-------"));
    TestSurroundings unnamed = new TestSurroundings(Map.of(), home);
    assertThat(unnamed.run("keys", "add", keygen("ann"))).as(unnamed.err()).isZero();
    assertThat(unnamed.err()).contains("joshua: changed " + made);
    assertThat(AuthorizedKeysFile.read(made).keys())
        .extracting(AuthorizedKey::name)
        .containsExactly("ann");

    assertThat(done("add", keygen("bob")).err()).contains("joshua: changed " + file);
    assertThat(AuthorizedKeysFile.read(made).keys()).hasSize(1);
  }

  @Test
  void anAddedKeyIsUnderstoodAndEverythingElseStays() throws Exception {
    String ann = keygen("ann", "-t", "ed25519");
    Call added = done("add", ann, "--role", "operator", "--from", "10.0.0.0/8,!10.9.9.9");

    assertThat(added.out()).startsWith("added ann on line 5 (operator, SHA256:");
    assertThat(Files.readString(file))
        .isEqualTo(
            BEFORE
                + "from=\"10.0.0.0/8,!10.9.9.9\",environment=\"JOSHUA_ROLE=operator\" "
                + Files.readString(home.resolve(ann)));
    assertThat(only().role().word()).isEqualTo("operator");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-r--r--");
    try (Stream<Path> beside = Files.list(file.getParent())) {
      assertThat(beside)
          .extracting(each -> each.getFileName().toString())
          .containsExactlyInAnyOrder("authorized_keys", ".authorized_keys.lock");
    }
  }

  @Test
  void aFileThatIsNotThereIsMadeForItsOwnerAlone() throws Exception {
    Files.delete(file);
    Files.delete(file.getParent());
    assertThat(done("list").out()).contains("No keys in " + file);
    done("add", keygen("ann"), "--name", "ann.smith");
    assertThat(only().name()).isEqualTo("ann.smith");
    assertThat(only().role().word()).as("unless said otherwise").isEqualTo("viewer");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void aKeyMayBePipedIn() throws Exception {
    InputStream before = System.in;
    try (InputStream key = Files.newInputStream(home.resolve(keygen("ann")))) {
      System.setIn(key);
      assertThat(done("add", "-", "--role", "admin").out()).startsWith("added ann");
    } finally {
      System.setIn(before);
    }
    assertThat(only().role().word()).isEqualTo("admin");
  }

  @Test
  void whatIsNoPublicKeyThatIsTakenIsRefusedWithASentence() throws Exception {
    String ann = keygen("ann", "-t", "ed25519");
    keygen("weak", "-t", "rsa", "-b", "1024");
    Files.writeString(home.resolve("two"), Files.readString(home.resolve(ann)).repeat(2));
    Files.writeString(
        home.resolve("options"), "command=\"x\" " + Files.readString(home.resolve(ann)));
    Files.writeString(
        home.resolve("role"),
        "environment=\"JOSHUA_ROLE=admin\" " + Files.readString(home.resolve(ann)));
    Files.writeString(home.resolve("long"), "#".repeat(PublicKeyText.LONGEST + 1));

    refused("holds a private key", "add", "ann");
    refused("an RSA key has 2048", "add", "weak.pub");
    refused("one line", "add", "two");
    refused("can't be honoured", "add", "options");
    refused("options before the key", "add", "role");
    refused("one line", "add", "long");
    refused("quotation marks", "add", ann, "--from", "1.1.1.1\",environment=\"JOSHUA_ROLE=admin");
    refused("--from no-address can't be taken", "add", ann, "--from", "no-address");
    assertThat(keys("add", "nowhere.pub").status()).isEqualTo(69);
    assertThat(keys("add").status()).isEqualTo(2);
    assertThat(keys("add", ann, "--name", "a b").status()).isEqualTo(2);
    refused("grace is the name of a service", "add", ann, "--name", "grace");
    refused("rogers is the name of a service", "add", keygen("rogers"));

    done("add", ann);
    refused("is there already: ann on line 5", "add", ann, "--name", "other");
  }

  @Test
  void theListTellsWhatSshKeygenTellsAndWhatIsNotTaken() throws Exception {
    done("add", keygen("ed", "-t", "ed25519"), "--role", "admin");
    done("add", keygen("ec", "-t", "ecdsa", "-b", "521"), "--from", "::1");
    done("add", keygen("rsa", "-t", "rsa", "-b", "3072"));

    JsonNode list = Json.parse(done("list", "-o", "json").out()).path("keys");
    assertThat(list).hasSize(4);
    assertThat(list.get(0).path("line").asInt()).isEqualTo(4);
    assertThat(list.get(0).path("problem").asText()).isNotEmpty();
    List<String> names = List.of("ed", "ec", "rsa");
    for (int i = 0; i < names.size(); i++) {
      JsonNode key = list.get(i + 1);
      assertThat(key.path("name").asText()).isEqualTo(names.get(i));
      assertThat(List.of(key.path("bits").asText(), key.path("fingerprint").asText()))
          .isEqualTo(described(names.get(i)));
    }
    assertThat(list.get(1).path("role").asText()).isEqualTo("admin");
    assertThat(list.get(2).path("from").asText()).isEqualTo("::1");
    assertThat(done("list").out()).contains("NOT TAKEN", "ecdsa-sha2-nistp521", "anywhere");
  }

  @Test
  void aRevokedKeyIsGoneAndNothingElseIs() throws Exception {
    done("add", keygen("ann1"), "--name", "ann");
    done("add", keygen("bob"));
    done("add", keygen("ann2"), "--name", "ann");

    assertThat(done("revoke", described("ann2").get(1)).out()).startsWith("revoked ann on line 7");
    assertThat(done("revoke", "ann").out().lines()).hasSize(1);
    assertThat(only().name()).isEqualTo("bob");
    assertThat(Files.readString(file)).startsWith(BEFORE);
    refused("No key in " + file + " has the name or fingerprint ann", "revoke", "ann");
    done("revoke", "bob");
    assertThat(Files.readString(file)).isEqualTo(BEFORE);
  }

  @Test
  void aRotatedKeyKeepsNameAndOptions() throws Exception {
    done("add", keygen("ann"), "--role", "admin", "--from", "127.0.0.1");
    String old = Files.readString(home.resolve("ann.pub")).strip();
    String fresh = keygen("fresh", "-t", "ecdsa");
    String before = Files.readString(file);

    assertThat(done("rotate", "ann", fresh).out())
        .contains("replaced ann on line 5 (admin", "by ann on line 5 (admin");
    String replacement = Files.readString(home.resolve(fresh)).strip().replace("fresh", "ann");
    assertThat(Files.readString(file)).isEqualTo(before.replace(old, replacement));
    assertThat(only().key().type()).startsWith("ecdsa");

    refused("is there already", "rotate", "ann", fresh);
    done("add", keygen("second"), "--name", "ann");
    refused("are several keys", "rotate", "ann", keygen("third"));
    assertThat(keys("rotate", "ann").status()).isEqualTo(2);
  }

  @Test
  void aFileThatOthersCanChangeIsLeftAlone() throws Exception {
    mode("rw-rw-r--");
    refused("chmod go-w", "add", keygen("ann"));
  }

  @Test
  void nobodysChangeIsLostWhenManyChangeItAtOnce() throws Exception {
    int many = 12;
    List<Callable<Call>> calls = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      String key = keygen("key" + i);
      calls.add(() -> keys("add", key));
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Call> call : threads.invokeAll(calls)) {
        assertThat(call.get().status()).as(call.get().err()).isZero();
      }
    }
    assertThat(AuthorizedKeysFile.read(file).keys()).hasSize(many);
    assertThat(Files.readString(file)).startsWith(BEFORE);
  }

  private Call unnamed(String... words) {
    TestSurroundings surroundings = new TestSurroundings(Map.of(), home);
    return new Call(surroundings.run(words), surroundings.out(), surroundings.err());
  }

  @Test
  void unlessAFileIsNamedKeysAreInTheDataDirectory() throws Exception {
    String ann = keygen("ann");
    Path data = home.resolve("data/ssh/authorized_keys");
    assertThat(unnamed("keys", "add", ann).err()).contains("changed " + data);
    assertThat(AuthorizedKeysFile.read(data).keys()).hasSize(1);
    Path other = home.resolve("other/ssh/authorized_keys");
    assertThat(unnamed("keys", "add", ann, "--data-dir", "other").err())
        .contains("changed " + other);
    assertThat(AuthorizedKeysFile.read(other).keys()).hasSize(1);
  }

  @Test
  void keysOfTheFormerFileCountUntilTheyAreCopied() throws Exception {
    Path former = home.resolve("configs/ssh/authorized_keys");
    Files.createDirectories(former.getParent());
    String line = Files.readString(home.resolve(keygen("ann")));
    Files.writeString(former, "# admins\n" + line);
    Files.setPosixFilePermissions(former, PosixFilePermissions.fromString("rw-r--r--"));
    Path data = home.resolve("data/ssh/authorized_keys");

    assertThat(unnamed("keys", "list", "-o", "json").out()).contains("\"file\":\"" + former);
    AuthorizedKeysLocation location = new AuthorizedKeysLocation(data, Optional.of(former));
    assertThat(location.notice()).get().asString().contains(former.toString(), data.toString());
    Call added = unnamed("keys", "add", keygen("bob"));
    assertThat(added.err()).contains("copied the keys of " + former, "changed " + data);
    assertThat(Files.readString(data)).startsWith("# admins\n" + line);
    assertThat(AuthorizedKeysFile.read(data).keys()).hasSize(2);
    assertThat(Files.readString(former)).isEqualTo("# admins\n" + line);
    assertThat(location.notice()).isEmpty();

    assertThat(unnamed("keys", "revoke", "ann").status()).isZero();
    assertThat(unnamed("keys", "revoke", "bob").status()).isZero();
    assertThat(location.inForce()).as("who was revoked there isn't let in again").isEqualTo(data);
    assertThat(unnamed("keys", "list").out()).contains("No keys in " + data);
  }

  @Test
  void aFormerFileWithoutKeysDoesNotCount() throws Exception {
    Path former = home.resolve("configs/ssh/authorized_keys");
    Files.createDirectories(former.getParent());
    Files.writeString(former, "# nobody yet\n");
    assertThat(unnamed("keys", "list").out())
        .contains("No keys in " + home.resolve("data/ssh/authorized_keys"));
  }

  @Test
  void theShippedFileHoldsNoKeyAndCounts() throws Exception {
    Path shipped = Path.of("../configs/ssh/authorized_keys");
    assertThat(AuthorizedKeysFile.read(shipped).keys()).isEmpty();
    assertThat(AuthorizedKeysFile.read(shipped).problems()).isEmpty();
  }
}
