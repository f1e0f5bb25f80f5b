package joshua.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Caller;
import joshua.network.Connection;
import joshua.network.Member;
import joshua.network.Tool;
import joshua.network.ToolHints;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;
import joshua.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Verbs by the local socket. */
class LocalSocketTest {
  record Greeting(@Member(max = 20) String name) {}

  record Greeted(String status, String greeting) {}

  private static final CountDownLatch WAITING = new CountDownLatch(1);
  private static final CountDownLatch ENDED = new CountDownLatch(1);

  @Command(name = "greet", description = "Greets somebody.")
  static final class GreetVerb implements Verb {
    @Parameters(paramLabel = "NAME")
    String name;

    @Override
    public Role role() {
      return Role.OPERATOR;
    }

    @Override
    public void run(VerbSession session) throws VerbFailedException, InterruptedException {
      var answer = session.call("greet", Json.object().put("name", name));
      session.out().json(answer);
      session.out().line(answer.path("greeting").asText());
      session.out().note("greeted");
    }
  }

  @Command(name = "wait", description = "Waits for ever.")
  static final class WaitVerb implements Verb {
    @Override
    public Role role() {
      return Role.VIEWER;
    }

    @Override
    public void run(VerbSession session) throws InterruptedException {
      session.out().line("waiting");
      WAITING.countDown();
      try {
        new CountDownLatch(1).await();
      } finally {
        ENDED.countDown();
      }
    }
  }

  @Command(name = "fail", description = "Fails.")
  static final class FailVerb implements Verb {
    @Override
    public Role role() {
      return Role.VIEWER;
    }

    @Override
    public void run(VerbSession session) {
      throw new IllegalStateException("secret");
    }
  }

  @TempDir private Path directory;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final VerbHost host =
      new VerbHost(
          "test",
          new ToolRegistry(
              List.of(
                  new Tool<>(
                      "greet",
                      "Greet",
                      "Greets.",
                      Greeting.class,
                      Greeted.class,
                      Tool.Audience.MODEL,
                      Role.VIEWER,
                      ToolHints.READS,
                      (input, call) ->
                          input.name().equals("nobody")
                              ? ToolResult.refused(
                                  Refusal.of(ErrorCode.OVERLOADED, "There is nobody."))
                              : ToolResult.success(
                                  new Greeted("success", "Hello, " + input.name())))),
              InstantSource.system()),
          List.of(GreetVerb.class, WaitVerb.class, FailVerb.class));
  private LocalSocket socket;

  @BeforeEach
  void open() throws IOException {
    socket = LocalSocket.open(directory.resolve("s.sock"), Map.of("test", host));
  }

  @AfterEach
  void close() throws IOException {
    socket.close();
  }

  private int run(String... words) throws IOException {
    return LocalSocketClient.run(socket.path(), "test", List.of(words), out, err);
  }

  @Test
  void aVerbSaysItToPeopleOrToPrograms() throws Exception {
    assertThat(run("greet", "ann\u202e\u001b[2J")).isEqualTo(ExitStatus.OK);
    assertThat(out.toString(UTF_8)).isEqualTo("Hello, ann\\u202e\\u001b[2J\n");
    assertThat(err.toString(UTF_8)).isEqualTo("greeted\n");
    out.reset();
    assertThat(run("greet", "bob", "-o", "json")).isEqualTo(ExitStatus.OK);
    assertThat(out.toString(UTF_8))
        .isEqualTo("{\"status\":\"success\",\"greeting\":\"Hello, bob\"}\n");
  }

  @Test
  void whatGoesWrongHasAStatusAndASentence() throws Exception {
    assertThat(run("greet", "nobody")).isEqualTo(ExitStatus.UNAVAILABLE);
    assertThat(run("greet", "x".repeat(21))).isEqualTo(ExitStatus.FAILED);
    assertThat(run("greet")).isEqualTo(ExitStatus.USAGE);
    assertThat(run("great")).isEqualTo(ExitStatus.USAGE);
    assertThat(run("fail")).isEqualTo(ExitStatus.INTERNAL);
    assertThat(err.toString(UTF_8))
        .contains("There is nobody.")
        .contains("name must be a string of 0 to 20 characters")
        .contains("Missing required parameter: 'NAME'")
        .contains("There is no verb great at test (did you mean greet?)")
        .contains("under correlation id")
        .doesNotContain("secret");
    assertThat(LocalSocketClient.run(socket.path(), "other", List.of("x"), out, err))
        .isEqualTo(ExitStatus.UNAVAILABLE);
  }

  @Test
  void helpIsGivenAndListsTheVerbs() throws Exception {
    assertThat(run("help")).isEqualTo(ExitStatus.OK);
    assertThat(run("greet", "--help")).isEqualTo(ExitStatus.OK);
    assertThat(out.toString(UTF_8)).contains("Greets somebody.").contains("Usage: greet");
  }

  @Test
  void aVerbEndsWhenItsClientGoes() throws Exception {
    try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket.path()))) {
      client.write(
          ByteBuffer.wrap("{\"service\":\"test\",\"words\":[\"wait\"]}\n".getBytes(UTF_8)));
      WAITING.await();
    }
    ENDED.await();
  }

  @Test
  void aRoleThatIsTooLowIsTold() {
    Caller viewer = new Caller(Optional.of("v"), Role.VIEWER, new Connection("test", () -> false));
    int status =
        host.run(
            List.of("greet", "ann"),
            viewer,
            new java.io.PrintStream(out),
            new java.io.PrintStream(err));
    assertThat(status).isEqualTo(ExitStatus.FAILED);
    assertThat(err.toString(UTF_8)).contains("needs the role operator, and yours is viewer");
  }

  @Test
  void theSocketIsItsUsersAloneAndGoesWithTheGroup() throws Exception {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.path())))
        .isEqualTo("rw-------");
    socket.close();
    assertThat(socket.path()).doesNotExist();
    assertThatThrownBy(() -> run("help")).isInstanceOf(IOException.class);
    Files.createFile(socket.path());
    open();
    assertThat(run("help")).isEqualTo(ExitStatus.OK);
  }

  @Test
  void aPathThatIsTooLongIsReplacedByAShortOne() throws Exception {
    Path deep = Files.createDirectories(directory.resolve("d".repeat(90)));
    try (LocalSocket other = LocalSocket.open(deep.resolve("s.sock"), Map.of("test", host))) {
      assertThat(other.path().toString()).startsWith("/tmp/joshua-");
      Await.until(
          "it answers",
          () -> LocalSocketClient.run(other.path(), "test", List.of("help"), out, err) == 0);
    }
  }
}
