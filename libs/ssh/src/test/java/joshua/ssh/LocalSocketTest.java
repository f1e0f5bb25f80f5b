package joshua.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import joshua.testing.Await;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalSocketTest {
  @TempDir private Path directory;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final VerbHost host = TestVerbs.host();
  @AutoClose private LocalSocket socket;

  @BeforeEach
  void open() throws IOException {
    socket = LocalSocket.open(directory.resolve("s.sock"), Map.of("test", host));
  }

  private int run(String... words) throws IOException {
    return LocalSocketClient.run(socket.path(), "test", List.of(words), 80, out, err);
  }

  @Test
  void aVerbSaysItToPeopleOrToPrograms() throws Exception {
    assertThat(run("greet", "ann\u202e\u001b[2J")).isEqualTo(ExitStatus.OK);
    assertThat(out).hasToString("Hello, ann\\u202e\\u001b[2J\n");
    assertThat(err).hasToString("greeted\n");
    out.reset();
    assertThat(run("greet", "bob", "-o", "json")).isEqualTo(ExitStatus.OK);
    assertThat(out).hasToString("{\"status\":\"success\",\"greeting\":\"Hello, bob\"}\n");
  }

  @Test
  void whatGoesWrongHasAStatusAndASentence() throws Exception {
    assertThat(run("greet", "nobody")).isEqualTo(ExitStatus.UNAVAILABLE);
    assertThat(run("greet", "x".repeat(21))).isEqualTo(ExitStatus.FAILED);
    assertThat(run("greet")).isEqualTo(ExitStatus.USAGE);
    assertThat(run("great")).isEqualTo(ExitStatus.USAGE);
    assertThat(run("clients")).isEqualTo(ExitStatus.USAGE);
    assertThat(run("overflow")).isEqualTo(ExitStatus.INTERNAL);
    assertThat(err)
        .asString()
        .contains("There is nobody.")
        .contains("name must be a string of 0 to 20 characters")
        .contains("Missing required parameter: 'NAME'")
        .contains("There is no verb great at test (did you mean greet?)")
        .contains("That is another's.\n")
        .contains("under correlation id")
        .doesNotContain("secret");
    assertThat(LocalSocketClient.run(socket.path(), "other", List.of("x"), 80, out, err))
        .isEqualTo(ExitStatus.UNAVAILABLE);
  }

  @Test
  void whatAVerbSaysComesWhileItRunsAndItEndsWhenItsClientGoes() throws Exception {
    try (SocketChannel client = begin("wait", "streaming")) {
      ByteBuffer frame = ByteBuffer.allocate(2 * (1 + Integer.BYTES) + "waiting\n".length());
      while (frame.hasRemaining()) {
        assertThat(client.read(frame)).isPositive();
      }
      assertThat(new String(frame.array(), UTF_8)).isEqualTo("o\0\0\0\0o\0\0\0\bwaiting\n");
      Await.until("it waits", () -> TestVerbs.WAITING.contains("streaming"));
      assertThat(TestVerbs.ENDED).doesNotContain("streaming");
    }
    Await.until("it ends", () -> TestVerbs.ENDED.contains("streaming"));
  }

  @Test
  void theEndOfTheSocketEndsItsVerbs() throws Exception {
    try (SocketChannel client = begin("wait", "closed")) {
      Await.until("it waits", () -> TestVerbs.WAITING.contains("closed"));
      socket.close();
      Await.until("it ends", () -> TestVerbs.ENDED.contains("closed"));
      assertThat(client.isOpen()).isTrue();
    }
  }

  @Test
  void commandsBeyondTheMostAreToldSo() throws Exception {
    List<SocketChannel> clients = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      String name = "crowd-" + i;
      clients.add(begin("wait", name));
      Await.until("it waits", () -> TestVerbs.WAITING.contains(name));
    }
    assertThat(run("help")).isEqualTo(ExitStatus.UNAVAILABLE);
    assertThat(err).asString().contains("64 commands run here already");
    for (SocketChannel client : clients) {
      client.close();
    }
    Await.until("there is room again", () -> run("help") == ExitStatus.OK);
  }

  private SocketChannel begin(String verb, String name) throws IOException {
    SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket.path()));
    client.write(
        ByteBuffer.wrap(
            "{\"service\":\"test\",\"words\":[\"%s\",\"%s\"]}\n"
                .formatted(verb, name)
                .getBytes(UTF_8)));
    return client;
  }

  @Test
  void theSocketIsItsUsersAloneAndGoesWithTheGroup() throws Exception {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.path())))
        .isEqualTo("rw-------");
    socket.close();
    assertThat(socket.path()).doesNotExist();
    assertThatThrownBy(() -> run("help")).isInstanceOf(IOException.class);
    leaveBehind(socket.path());
    open();
    assertThat(run("help")).isEqualTo(ExitStatus.OK);
  }

  @Test
  void aGroupThatBeginsNothingIsGivenUp() throws Exception {
    Path path = directory.resolve("deaf.sock");
    try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(path)); // the system connects, and nobody accepts
      assertThatThrownBy(() -> LocalSocketClient.run(path, "test", List.of("help"), 80, out, err))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("didn't begin the command within 5 s");
    }
    assertThat(Thread.interrupted()).isFalse();
  }

  /** What a process that was killed leaves: a socket file at which nobody listens. */
  private static void leaveBehind(Path path) throws IOException {
    try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(path));
    }
    assertThat(path).exists();
  }

  @ParameterizedTest
  @ValueSource(ints = {78, 79, 80, 81, 95, 100, 103, 108, 200})
  void aPathOfAnyLengthLeadsToASocket(int length) throws Exception {
    String rest = "d".repeat(length - directory.toString().length() - "//s".length());
    Path wanted = Files.createDirectories(directory.resolve(rest)).resolve("s");
    assertThat(wanted.toString()).hasSize(length);
    try (LocalSocket other = LocalSocket.open(wanted, Map.of("test", host))) {
      assertThat(LocalSocketClient.run(other.path(), "test", List.of("help"), 80, out, err))
          .isEqualTo(ExitStatus.OK);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(other.path())))
          .isEqualTo("rw-------");
      if (length > 100) {
        assertThat(other.path().toString()).startsWith("/tmp/joshua-");
        assertThat(
                PosixFilePermissions.toString(
                    Files.getPosixFilePermissions(other.path().getParent())))
            .isEqualTo("rwx------");
      }
    }
    assertThat(wanted.getParent()).isEmptyDirectory();
  }
}
