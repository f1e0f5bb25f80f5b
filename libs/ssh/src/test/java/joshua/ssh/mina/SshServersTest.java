package joshua.ssh.mina;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import joshua.network.Access;
import joshua.ssh.ExitStatus;
import joshua.ssh.TestVerbs;
import joshua.testing.Await;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.client.channel.ChannelShell;
import org.apache.sshd.client.channel.ClientChannel;
import org.apache.sshd.client.channel.ClientChannelEvent;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.SshException;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.util.net.SshdSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verbs by SSH, with the library's own client. */
class SshServersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private final SshClient client = SshClient.setUpDefaultClient();
  private final KeyPair ann = keyPair();
  private final KeyPair bob = keyPair();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private SshServers servers;
  private Path keys;

  @BeforeEach
  void start() throws IOException {
    keys = directory.resolve("authorized_keys");
    servers =
        new SshServers(
            new SshServers.Config(
                keys, directory.resolve("ssh/host_key"), "127.0.0.1", new Access(Set.of())));
    client.setServerKeyVerifier((_, _, _) -> true);
    client.start();
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    servers.close();
  }

  private static KeyPair keyPair() {
    try {
      return KeyUtils.generateKeyPair("ssh-ed25519", 256);
    } catch (java.security.GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static String line(String name, String role, KeyPair key) {
    return "environment=\"JOSHUA_ROLE=%s\" %s %s%n"
        .formatted(role, PublicKeyEntry.toString(key.getPublic()), name);
  }

  /** Starts the server with these lines in its file. */
  private void serve(String... lines) throws IOException {
    Files.writeString(keys, String.join("", lines));
    servers.start(List.of(new SshServers.Endpoint(TestVerbs.host(), 0, "JOSHUA_TEST_SSH_PORT")));
  }

  private ClientSession logIn(String name, KeyPair key) throws IOException {
    ClientSession session =
        client
            .connect(name, "127.0.0.1", servers.ports().get("test"))
            .verify(PATIENCE)
            .getSession();
    session.addPublicKeyIdentity(key);
    session.auth().verify(PATIENCE);
    return session;
  }

  private int run(ClientSession session, String command) throws IOException {
    try (ChannelExec channel = session.createExecChannel(command)) {
      channel.setOut(out);
      channel.setErr(err);
      channel.open().verify(PATIENCE);
      return statusOf(channel);
    }
  }

  private static int statusOf(ClientChannel channel) {
    var events = channel.waitFor(EnumSet.of(ClientChannelEvent.CLOSED), PATIENCE);
    assertThat(events).contains(ClientChannelEvent.CLOSED);
    return channel.getExitStatus();
  }

  @Test
  void aKeyRunsWhatItsRoleMay() throws Exception {
    serve(line("ann", "operator", ann), line("bob", "viewer", bob));
    try (ClientSession session = logIn("mad", ann)) {
      assertThat(run(session, "greet 'Ann  \"B\"'")).isEqualTo(ExitStatus.OK);
      assertThat(out).hasToString("Hello, Ann  \"B\"\n");
      assertThat(err).hasToString("greeted\n");
      assertThat(run(session, "list")).isEqualTo(ExitStatus.OK);
      assertThat(out).asString().contains("operator");
      assertThat(run(session, "great")).isEqualTo(ExitStatus.USAGE);
      assertThat(run(session, "greet 'Ann")).isEqualTo(ExitStatus.USAGE);
      assertThat(err).asString().contains("did you mean greet?", "mark isn't closed");
    }
    try (ClientSession session = logIn("mad", bob)) {
      assertThat(run(session, "greet Bob")).isEqualTo(ExitStatus.FAILED);
      assertThat(err).asString().contains("greet needs the role operator, and yours is viewer");
    }
  }

  @Test
  void nothingButAKnownKeyLogsInAndNothingButVerbsIsToBeHad() throws Exception {
    serve(line("ann", "admin", ann));
    assertThatThrownBy(() -> logIn("mad", bob)).isInstanceOf(SshException.class);
    assertThatThrownBy(() -> logIn("root", ann)).isInstanceOf(SshException.class);
    try (ClientSession session =
        client.connect("mad", "127.0.0.1", servers.ports().get("test")).verify().getSession()) {
      session.addPasswordIdentity("secret");
      assertThatThrownBy(() -> session.auth().verify(PATIENCE))
          .isInstanceOf(SshException.class)
          .hasMessageContaining("No more authentication methods");
    }
    try (ClientSession session = logIn("mad", ann);
        ServerSocket target = new ServerSocket(0)) {
      var to = new SshdSocketAddress("127.0.0.1", target.getLocalPort());
      assertThatThrownBy(() -> session.createDirectTcpipChannel(null, to).open().verify(PATIENCE))
          .isInstanceOf(IOException.class);
      assertThatThrownBy(() -> session.startRemotePortForwarding(new SshdSocketAddress(0), to))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void aRemovedKeyIsOutAndItsVerbsEnd() throws Exception {
    serve(line("ann", "operator", ann), line("bob", "viewer", bob));
    try (ClientSession anns = logIn("mad", ann);
        ClientSession bobs = logIn("mad", bob);
        ChannelExec channel = bobs.createExecChannel("wait removed")) {
      channel.open().verify(PATIENCE);
      Await.until("it waits", () -> TestVerbs.WAITING.contains("removed"));
      Files.writeString(keys, line("ann", "operator", ann));
      Await.until("it ends", () -> TestVerbs.ENDED.contains("removed"));
      Await.until("he is out", () -> !bobs.isOpen());
      assertThatThrownBy(() -> logIn("mad", bob)).isInstanceOf(SshException.class);
      assertThat(run(anns, "list")).isEqualTo(ExitStatus.OK);
      Files.writeString(keys, line("ann", "viewer", ann));
      Await.until("her key has changed", () -> !anns.isOpen());
    }
  }

  @Test
  void aVerbEndsWhenItsClientGoes() throws Exception {
    serve(line("ann", "operator", ann));
    try (ClientSession session = logIn("mad", ann);
        ChannelExec channel = session.createExecChannel("hold gone")) {
      channel.open().verify(PATIENCE);
      Await.until("it waits", () -> TestVerbs.WAITING.contains("gone"));
    }
    Await.until("it ends", () -> TestVerbs.ENDED.contains("gone"));
  }

  @Test
  void theFirstKeyOpensThePort() throws Exception {
    serve();
    assertThat(servers.ports()).isEmpty();
    assertThat(servers.problem()).isEmpty();
    Files.writeString(keys, "nonsense\n");
    Await.until("it is said", () -> servers.problem().isPresent());
    assertThat(servers.problem().orElseThrow()).contains("Line 1 of ", "doesn't count");
    Files.writeString(keys, line("ann", "operator", ann));
    Await.until("it listens", () -> servers.ports().containsKey("test"));
    try (ClientSession session = logIn("mad", ann)) {
      assertThat(run(session, "list")).isEqualTo(ExitStatus.OK);
    }
    assertThat(servers.problem()).isEmpty();
  }

  @Test
  void theShellCompletesRunsAndInterrupts() throws Exception {
    serve(line("ann", "operator", ann));
    try (ClientSession session = logIn("mad", ann);
        ChannelShell channel = session.createShellChannel()) {
      channel.setPtyType("xterm");
      channel.setPtyColumns(100);
      channel.setOut(out);
      channel.open().verify(PATIENCE);
      OutputStream keyboard = channel.getInvertedIn();
      await("test> ");
      type(keyboard, "gre\tAnn\r");
      await("Hello, Ann\r\n");
      type(keyboard, "x".repeat(100) + "\001\013\031\031".repeat(8)); // each doubles it
      type(keyboard, "greet Bob\r");
      await("Hello, Bob\r\n");
      type(keyboard, "wait shell\r");
      Await.until("it waits", () -> TestVerbs.WAITING.contains("shell"));
      type(keyboard, "\003");
      Await.until("it ends", () -> TestVerbs.ENDED.contains("shell"));
      int ended = out.toString(UTF_8).lastIndexOf("wait shell");
      Await.until("it asks again", () -> out.toString(UTF_8).indexOf("test> ", ended) > 0);
      type(keyboard, "thrown away\003");
      type(keyboard, "list\r");
      Await.until("it lists", () -> out.toString(UTF_8).indexOf("operator", ended) > 0);
      assertThat(out).asString().doesNotContain("no verb thrown");
      type(keyboard, "\004");
      assertThat(statusOf(channel)).isEqualTo(ExitStatus.OK);
    }
  }

  private void type(OutputStream keyboard, String text) throws IOException {
    keyboard.write(text.getBytes(UTF_8));
    keyboard.flush();
  }

  private void await(String text) {
    Await.until("it says " + text, () -> out.toString(UTF_8).contains(text));
  }

  @Test
  void theHostKeyIsKeptAndIsItsOwnersAlone() throws Exception {
    serve(line("ann", "operator", ann));
    Path hostKey = directory.resolve("ssh").resolve("host_key");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(hostKey)))
        .isEqualTo("rw-------");
    String made = Files.readString(hostKey);
    assertThat(HostKey.in(hostKey)).isNotNull();
    assertThat(Files.readString(hostKey)).isEqualTo(made);
    Files.setPosixFilePermissions(hostKey, PosixFilePermissions.fromString("rw-r-----"));
    assertThatThrownBy(() -> HostKey.in(hostKey)).hasMessageContaining("can be read by others");
    Files.setPosixFilePermissions(hostKey, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(hostKey, "nonsense");
    assertThatThrownBy(() -> HostKey.in(hostKey)).hasMessageContaining("Delete it");
  }

  @Test
  void aTakenPortIsSaid() throws Exception {
    Files.writeString(keys, line("ann", "operator", ann));
    try (ServerSocket taken = new ServerSocket(0)) {
      var endpoint =
          new SshServers.Endpoint(TestVerbs.host(), taken.getLocalPort(), "JOSHUA_TEST_SSH_PORT");
      assertThatThrownBy(() -> servers.start(List.of(endpoint)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("or set JOSHUA_TEST_SSH_PORT to another");
    }
  }
}
