package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import joshua.kernel.Json;
import joshua.testing.FreePort;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Kills and restarts the group in the middle of a session of every kind of client that stays
 * connected: how each reacts, as documented in docs/protocol/mcp-clients.md.
 */
class McpRestartIT {
  private static final Path PAGE = BuiltProgram.HOME.resolve("docs/protocol/mcp-clients.md");

  /** Longer than the SDKs keep trying to reach a server that has gone. */
  private static final Duration OUTAGE = Duration.ofSeconds(8);

  private static final Duration BY_ITSELF_WITHIN = Duration.ofSeconds(15);

  private static final long AT_ONCE_SECONDS = 5;

  private final Executor threads = Executors.newVirtualThreadPerTaskExecutor();
  private TestEnvironment environment;

  @BeforeEach
  void open() {
    environment = new TestEnvironment();
  }

  @AfterEach
  void close() {
    environment.close();
  }

  /**
   * One client's session; its queue holds a message until a poll with {@code cursor} releases it.
   */
  private record Session(McpTestClientKind kind, McpTestClient guest, String name, String cursor) {
    Session reached(String next) {
      return new Session(kind, guest, name, next);
    }

    ObjectNode self() {
      return Json.object().put("client_id", name);
    }

    McpTestClient.Outcome subscribe() {
      ObjectNode input = self();
      input.putArray("topics").add("mad.direct." + name);
      return guest.call("grace_subscribe", input);
    }

    String uri() {
      return "grace://clients/%s/queue".formatted(name);
    }

    /** Makes the client send a message to itself. */
    void send() {
      ObjectNode message = Json.object().put("channel", "mad.direct." + name);
      message.putObject("payload");
      McpTestClient.is(guest.call("grace_send_message", message));
    }

    boolean hearsOfAMessage() {
      int before = guest.updates();
      send();
      return soon(() -> guest.updates() > before);
    }
  }

  private static boolean soon(Callable<Boolean> fact) {
    try {
      await().atMost(Duration.ofSeconds(5)).until(fact);
      return true;
    } catch (ConditionTimeoutException e) {
      return false;
    }
  }

  @Test
  void whatEachClientMakesOfARestartIsWhatThePageSays() throws Exception {
    String port = "JOSHUA_GRACE_PORT=" + FreePort.any();
    GroupUnderTest groupUnderTest = environment.up(port);
    List<Session> sessions =
        Stream.of(McpTestClientKind.values())
            .filter(McpTestClientKind::stays)
            .map(kind -> begin(kind, groupUnderTest))
            .toList();
    assertThat(groupUnderTest.metric("joshua_grace_waiting")).isEqualTo(sessions.size());
    Map<McpTestClientKind, CompletableFuture<String>> calls =
        new EnumMap<>(McpTestClientKind.class);
    for (Session session : sessions) {
      calls.put(session.kind(), CompletableFuture.supplyAsync(() -> poll(session), threads));
    }
    await().until(() -> groupUnderTest.metric("joshua_grace_waiting") == 0);
    groupUnderTest.run().kill();
    long killedAt = System.nanoTime();
    Map<McpTestClientKind, String> rows = new EnumMap<>(McpTestClientKind.class);
    calls.forEach((kind, call) -> rows.put(kind, "| %s | %s ".formatted(kind, ending(call))));
    await().until(() -> System.nanoTime() - killedAt > OUTAGE.toNanos());
    environment.up(port);
    Map<McpTestClientKind, CompletableFuture<String>> afterwards =
        new EnumMap<>(McpTestClientKind.class);
    for (Session session : sessions) {
      afterwards.put(session.kind(), CompletableFuture.supplyAsync(() -> after(session), threads));
    }
    afterwards.forEach((kind, row) -> rows.merge(kind, row.join(), String::concat));
    assertThat(rows.values())
        .as("the table of %s", PAGE)
        .containsExactlyElementsOf(table())
        .noneMatch(row -> row.contains("hangs"));
  }

  /** The outcome of a call soon after the kill. */
  private static String ending(CompletableFuture<String> call) {
    try {
      return call.get(AT_ONCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return "hangs";
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Session begin(McpTestClientKind kind, GroupUnderTest groupUnderTest) {
    Session session =
        new Session(
            kind, environment.add(kind.visit(groupUnderTest)), "guest-" + kind.ordinal(), "");
    McpTestClient.is(session.guest().connect());
    session = session.reached(McpTestClient.is(session.subscribe()).path("cursor").asText());
    McpTestClient.is(session.guest().watch(session.uri()));
    assertThat(session.hearsOfAMessage()).as("%s is pushed to", kind).isTrue();
    ObjectNode poll = session.self().put("cursor", session.cursor());
    return session.reached(
        McpTestClient.is(session.guest().call("grace_poll_messages", poll))
            .path("cursor")
            .asText());
  }

  /** Calls for as long as calls last, which releases the message; returns the outcome. */
  private static String poll(Session session) {
    ObjectNode input = session.self().put("cursor", session.cursor()).put("wait_ms", 25_000);
    return switch (session.guest().call("grace_poll_messages", input)) {
      case McpTestClient.Outcome.Is(JsonNode value) -> "answered: " + value;
      case McpTestClient.Outcome.Refused(String text, _) -> refused(text);
      case McpTestClient.Outcome.Failed _ -> "fails at once";
      case McpTestClient.Outcome.Hangs() -> "hangs";
    };
  }

  private static String refused(String text) {
    return text.startsWith("bus_unavailable: ") && text.endsWith("\n{\"outcome\":\"unknown\"}")
        ? "answered: outcome unknown"
        : "answered: " + text;
  }

  private static String after(Session session) {
    if (works(session)) {
      String push = session.hearsOfAMessage() ? "goes on" : pushedToAnew(session);
      return "| works | %s |".formatted(push);
    }
    connectAnew(session);
    return "| fails until it reconnects | after reconnecting |";
  }

  private static boolean works(Session session) {
    try {
      await().atMost(BY_ITSELF_WITHIN).until(() -> succeeded(session.subscribe()));
      return true;
    } catch (ConditionTimeoutException e) {
      return false;
    }
  }

  private static boolean succeeded(McpTestClient.Outcome outcome) {
    return outcome instanceof McpTestClient.Outcome.Is(JsonNode value)
        && value.path("status").asText().equals("success");
  }

  private static String pushedToAnew(Session session) {
    McpTestClient.is(session.guest().watch(session.uri()));
    if (session.hearsOfAMessage()) {
      return "after subscribing again";
    }
    connectAnew(session);
    return "after reconnecting";
  }

  private static void connectAnew(Session session) {
    McpTestClient.is(session.guest().connect());
    assertThat(succeeded(session.subscribe())).isTrue();
    McpTestClient.is(session.guest().watch(session.uri()));
    assertThat(session.hearsOfAMessage()).as("%s is pushed to again", session.kind()).isTrue();
  }

  private static List<String> table() throws IOException {
    return Files.readAllLines(PAGE).stream()
        .filter(line ->
            Stream.of(McpTestClientKind.values())
                .anyMatch(kind -> line.startsWith("| " + kind + " |")))
        .filter(line -> line.chars().filter(c -> c == '|').count() == 5)
        .toList();
  }
}
