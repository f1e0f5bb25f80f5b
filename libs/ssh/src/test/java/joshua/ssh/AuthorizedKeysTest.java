package joshua.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import joshua.kernel.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuthorizedKeysTest {
  private static final String ED25519 =
      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl";
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  @TempDir private Path directory;

  private static AuthorizedKey only(String line) {
    AuthorizedKeys keys = AuthorizedKeys.parse(line);
    assertThat(keys.problems()).isEmpty();
    assertThat(keys.keys()).hasSize(1);
    return keys.keys().getFirst();
  }

  private static String problem(String line) {
    AuthorizedKeys keys = AuthorizedKeys.parse(line);
    assertThat(keys.keys()).isEmpty();
    assertThat(keys.problems()).hasSize(1);
    return keys.problems().getFirst();
  }

  @ParameterizedTest
  @CsvSource({
    "ed25519, 256",
    "ecdsa, 256",
    "ecdsa, 384",
    "ecdsa, 521",
    "rsa, 2048",
    "rsa, 3072",
  })
  void keysOfSshKeygenAreReadWithTheirFingerprint(String type, String bits) throws Exception {
    Path file = directory.resolve("key");
    String line = KeysForTests.make(file, "ann", "-t", type, "-b", bits);
    AuthorizedKey key = only(line);
    assertThat(key.key().fingerprint()).isEqualTo(KeysForTests.describe(file)[1]);
    assertThat(key.name()).isEqualTo("ann");
    assertThat(key.role()).isEqualTo(Role.VIEWER);
    assertThat(line).isEqualTo(key.key() + " ann");
  }

  @Test
  void aShortRsaKeyIsRefused() throws Exception {
    String line = KeysForTests.make(directory.resolve("key"), "ann", "-t", "rsa", "-b", "1024");
    assertThat(problem(line))
        .isEqualTo("line 1: an RSA key has 2048 to 16384 bits, and this one 1024");
  }

  @Test
  void aCommentThatIsNoIdentifierGivesNoName() {
    assertThat(only(ED25519 + " Ann of the night shift").name()).isEqualTo("key-f83898df0bef");
    assertThat(only(ED25519).name()).isEqualTo("key-f83898df0bef");
    assertThat(only(ED25519 + " ann@laptop").name()).isEqualTo("key-f83898df0bef");
    assertThat(only(ED25519 + " ann.laptop").name()).isEqualTo("ann.laptop");
  }

  @Test
  void optionsSayWhatAKeyMay() {
    AuthorizedKey key =
        only(
            "restrict,from=\"192.0.2.0/24,::1\",environment=\"LANG=C\",environment=\"JOSHUA_ROLE=operator\","
                + "expiry-time=\"20260302Z\" "
                + ED25519
                + " ann");
    assertThat(key.role()).isEqualTo(Role.OPERATOR);
    assertThat(key.terminal()).isFalse();
    assertThat(key.expires()).contains(Instant.parse("2026-03-02T00:00:00Z"));
    assertThat(key.admits(InetAddress.ofLiteral("192.0.2.9"), NOW)).isTrue();
    assertThat(key.admits(InetAddress.ofLiteral("::1"), NOW)).isTrue();
    assertThat(key.admits(HERE, NOW)).isFalse();
    assertThat(key.admits(InetAddress.ofLiteral("::1"), Instant.parse("2026-03-02T00:00:00Z")))
        .isFalse();
  }

  @Test
  void withoutZAKeyExpiresByTheClockOnTheWall() {
    assertThat(only("expiry-time=\"202603021530\" " + ED25519).expires())
        .contains(LocalDateTime.of(2026, 3, 2, 15, 30).atZone(ZoneId.systemDefault()).toInstant());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          command="date" %s                        | the option command can't be honoured here, so the key isn't taken
          cert-authority %s                        | the option cert-authority can't be honoured here, so the key isn't taken
          principals="a" %s                        | the option principals can't be honoured here, so the key isn't taken
          verify-required %s                       | the option verify-required can't be honoured here, so the key isn't taken
          frm="::1" %s                             | "frm" is not an option that is known
          from=::1 %s                              | from needs a value in quotation marks
          from="::1",from="::2" %s                 | from is given twice
          from="::1 %s                             | a quotation mark isn't closed
          from="host.example" %s                   | from= has "host.example": it must be an IP address, 192.0.2.* or a block; names aren't looked up
          environment="JOSHUA_ROLE=boss" %s        | JOSHUA_ROLE must be viewer, operator or admin, and is "boss"
          expiry-time="tomorrow" %s                | expiry-time must be YYYYMMDD, or YYYYMMDDHHMM, or with Z in UTC
          expiry-time="20261331" %s                | expiry-time must be YYYYMMDD, or YYYYMMDDHHMM, or with Z in UTC
          ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl | it says ssh-rsa, and the key is of type ssh-ed25519
          ssh-dss AAAAB3NzaC1kc3MAAACBAA==         | keys of type ssh-dss aren't taken; ed25519, ECDSA and RSA keys are
          sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAIA== | keys of type sk-ssh-ed25519@openssh.com aren't taken; ed25519, ECDSA and RSA keys are
          ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMq | the key isn't complete
          ssh-ed25519 AAAA!                        | the key isn't base64
          nonsense                                 | it must be: [options] type key [comment]
          -----BEGIN OPENSSH PRIVATE KEY-----      | "-----begin" is not an option that is known
          """)
  void whatLimitsAKeyAndCantBeHonouredMakesItUnfit(String line, String reason) {
    assertThat(problem(line.formatted(ED25519))).isEqualTo("line 1: " + reason);
  }

  @Test
  void aLineThatCantBeReadSpoilsNoOther() {
    AuthorizedKeys keys = AuthorizedKeys.parse("# who\n\nrubbish\n" + ED25519 + " ann\nmore\n");
    assertThat(keys.keys()).extracting(AuthorizedKey::name).containsExactly("ann");
    assertThat(keys.problems())
        .containsExactly(
            "line 3: it must be: [options] type key [comment]",
            "line 5: it must be: [options] type key [comment]");
  }

  @Test
  void theFirstLineThatLetsAKeyInCounts() throws Exception {
    AuthorizedKeys keys =
        AuthorizedKeys.parse(
            "from=\"192.0.2.1\",environment=\"JOSHUA_ROLE=admin\" %1$s\n%1$s\n".formatted(ED25519));
    SshKey key = keys.keys().getFirst().key();
    assertThat(keys.admitting(key, InetAddress.ofLiteral("192.0.2.1"), NOW))
        .get()
        .extracting(AuthorizedKey::role)
        .isEqualTo(Role.ADMIN);
    assertThat(keys.admitting(key, HERE, NOW))
        .get()
        .extracting(AuthorizedKey::role)
        .isEqualTo(Role.VIEWER);
  }

  @Test
  void editingKeepsEveryOtherLineAsItWas() throws Exception {
    String text = "# who \r\n\n  " + ED25519 + " ann\t\nrubbish\n";
    AuthorizedKeys keys = AuthorizedKeys.parse(text);
    SshKey key = keys.keys().getFirst().key();
    assertThat(keys.text()).isEqualTo(text);
    assertThat(keys.with("# end").text()).isEqualTo(text + "# end\n");
    assertThat(keys.without(key).text()).isEqualTo("# who \r\n\nrubbish\n");
    assertThat(keys.replacing(key, "# gone").text()).isEqualTo("# who \r\n\n# gone\nrubbish\n");
  }
}
