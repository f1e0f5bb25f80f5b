package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that while hostile programs of every kind at once, each at the rate of one program, work
 * against {@code /mcp}, well-behaved clients are served in time, and nothing of the hostile ones
 * stays behind. How busy the machine is otherwise is measured by calls to another group, which
 * isn't disturbed.
 */
@Tag("alone")
final class HostileMcpClientsIT {
  private static final Duration IN_TIME = Duration.ofMillis(50);
  private static final int SLOWER = 3;
  private static final int CALLS = 800;
  private static final int ROUNDS = 15;
  private static final int HALF_OPEN = 1_000;
  private static final int POLLED = 100;
  private static final int AT_ONCE = 10;
  private static final int DEAF = 10;
  private static final double PERCENT = 99;
  private static final Duration WITHIN = Duration.ofSeconds(90);
  private static final TestEnvironment STAGE = new TestEnvironment();
  private static GroupUnderTest groupUnderTest;
  private static GroupUnderTest undisturbed;

  private final List<HostileProgram> adversaries = new ArrayList<>();
  private final List<OpenConnections> theirs = new ArrayList<>();

  @BeforeAll
  static void start() {
    groupUnderTest = STAGE.up();
    undisturbed = STAGE.up("JOSHUA_DATA_DIR=" + STAGE.path().resolve("undisturbed"));
  }

  @AfterAll
  static void stop() {
    STAGE.close();
  }

  @Test
  void whoBehavesIsServedInTimeAndNothingStaysBehind() {
    List<WellBehavedCaller> calm =
        List.of(
            caller("calm-http", WellBehavedCaller.http(web())),
            caller("calm-mcp-ws", WellBehavedCaller.socket(web().mcp())),
            caller("calm-ws", WellBehavedCaller.frames(web().frames())));
    RawWeb elsewhere = STAGE.add(RawWeb.to(undisturbed.gracePort())).mcp();
    WellBehavedCaller control = caller("elsewhere", WellBehavedCaller.socket(elsewhere));
    String cursor = subscribeVictims();
    awaitCalls(calm);
    calm.forEach(WellBehavedCaller::timing);
    awaitCalls(calm);
    print("in quiet", calm);
    print("in quiet", List.of(control));
    double socketsBefore = groupUnderTest.metric("joshua_sockets_open");

    HttpAttacks http = new HttpAttacks(groupUnderTest.gracePort());
    SocketAttacks sockets = new SocketAttacks(groupUnderTest.gracePort());
    attack(http, sockets, cursor);
    awaitCalls(calm);
    await().atMost(WITHIN).until(() -> adversaries.stream().allMatch(HostileMcpClientsIT::isDone));
    List<WellBehavedCaller.Timing> timings = print("beside hostile programs", calm);
    Duration machine = print("meanwhile", List.of(control)).getFirst().within(PERCENT);
    adversaries.forEach(HostileProgram::close);
    theirs.forEach(OpenConnections::close);
    System.out.println("the hostile programs' rounds: " + adversaries);

    assertThat(adversaries.stream().flatMap(one -> one.troubles().stream())).isEmpty();
    assertThat(calm.stream().flatMap(one -> one.troubles().stream())).isEmpty();
    assertThat(timings)
        .allSatisfy(timing -> assertThat(timing.within(PERCENT)).isLessThan(inTime(machine)));
    awaitMetric(
        http.begun() + sockets.begun(),
        "joshua_tool_calls_seconds_count",
        "tool=\"grace_poll_messages\"",
        "outcome=\"cancelled\"");
    awaitMetric(socketsBefore, "joshua_sockets_open");
    calm.forEach(WellBehavedCaller::close);
    for (String none :
        List.of("mcp_listening", "mcp_working", "mcp_bytes", "sockets_bytes", "calls_bytes")) {
      awaitMetric(0, "joshua_" + none);
    }
    assertThat(groupUnderTest.get("/readyz").statusCode()).isEqualTo(200);
    assertThat(groupUnderTest.run().err()).doesNotContain("OutOfMemory", " ERROR ");
  }

  /** Creates queues that hostile programs poll; returns the cursor of one that is full. */
  private static String subscribeVictims() {
    FrameSocketClient client = groupUnderTest.client();
    String cursor = client.subscribe("library", "mad.direct.library").path("cursor").asText();
    String large = "{'x':'%s'}".formatted("x".repeat(1_000_000));
    for (int n = 0; n < 2; n++) {
      JsonNode sent = client.send("sender", "mad.direct.library", large);
      assertThat(sent.path("queues").asInt()).isEqualTo(1);
    }
    for (String name : List.of("closing-", "cancelling-", "modern-", "legacy-")) {
      names(name, POLLED).forEach(one -> client.subscribe(one, "mad.topic.never"));
    }
    return cursor;
  }

  private void attack(HttpAttacks http, SocketAttacks sockets, String cursor) {
    OpenConnections halfOpen = crowd(HALF_OPEN);
    for (int n = 0; n < HALF_OPEN; n++) {
      HttpAttacks.halfOpen(n, halfOpen);
    }
    begin("half-open", 30, n -> HttpAttacks.halfOpen(n, halfOpen));
    begin("bad JSON", 30, http::badJson);
    begin("wrong headers", 30, http::wrongHeaders);
    begin("deep nesting", 60, http::deepNesting);
    begin("huge bodies", 250, http::hugeBody);
    OpenConnections deafToAnswers = crowd(DEAF);
    begin("deaf to answers", 250, n -> http.deafToAnAnswer("library", cursor, deafToAnswers));
    OpenConnections deafToStreams = crowd(DEAF);
    String watched = "grace://clients/calm-ws/queue";
    begin("deaf to streams", 100, n -> http.deafToAStream(watched, deafToStreams));
    begin("closing", 10, n -> http.callAndClose("closing-" + n % POLLED));
    begin("cancelling", 10, n -> http.callAndCancel(names("cancelling-", AT_ONCE)));
    RawWeb babbling = crowd(1).join().mcp();
    begin("nonsense frames", 30, n -> sockets.nonsense(n, babbling));
    begin("broken frames", 60, sockets::brokenFrame);
    OpenConnections deaf = crowd(DEAF);
    begin("deaf sockets", 500, n -> sockets.deaf("library", cursor, deaf));
    RawWeb modern = crowd(1).join().mcp();
    begin("modern", 20, n -> sockets.callAndCancel(n, true, "modern-" + n % POLLED, modern));
    RawWeb legacy = crowd(1).join().mcp();
    begin("legacy", 20, n -> sockets.callAndCancel(n, false, "legacy-" + n % POLLED, legacy));
  }

  /** On a machine that is busy with other things, calls elsewhere are slow as well. */
  private static Duration inTime(Duration elsewhere) {
    Duration slowed = elsewhere.multipliedBy(SLOWER);
    return slowed.compareTo(IN_TIME) > 0 ? slowed : IN_TIME;
  }

  private void begin(String name, int pauseMillis, HostileProgram.Round round) {
    adversaries.add(STAGE.add(new HostileProgram(name, Duration.ofMillis(pauseMillis), round)));
  }

  private static boolean isDone(HostileProgram one) {
    return one.rounds() >= ROUNDS || !one.troubles().isEmpty();
  }

  private static List<String> names(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
  }

  private static void awaitCalls(List<WellBehavedCaller> calm) {
    await()
        .atMost(WITHIN)
        .until(
            () -> calm.stream().allMatch(one -> one.calls() >= CALLS || !one.troubles().isEmpty()));
  }

  private static void awaitMetric(double value, String name, String... tags) {
    await()
        .atMost(WITHIN)
        .untilAsserted(
            () -> assertThat(groupUnderTest.metric(name, tags)).as(name).isEqualTo(value));
  }

  /** Prints the measurements since the last time. */
  private static List<WellBehavedCaller.Timing> print(String when, List<WellBehavedCaller> calm) {
    return calm.stream()
        .map(one -> {
          WellBehavedCaller.Timing timing = one.timing();
          System.out.println(one + " " + when + ": " + timing);
          return timing;
        })
        .toList();
  }

  private static WellBehavedCaller caller(String name, WellBehavedCaller.Transport transport) {
    return STAGE.add(new WellBehavedCaller(name, transport));
  }

  private OpenConnections crowd(int most) {
    OpenConnections openConnections =
        STAGE.add(new OpenConnections(groupUnderTest.gracePort(), most));
    theirs.add(openConnections);
    return openConnections;
  }

  private static RawWeb web() {
    return STAGE.add(RawWeb.to(groupUnderTest.gracePort()));
  }
}
