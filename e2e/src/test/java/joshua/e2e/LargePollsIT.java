package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that many clients that poll large answers as fast as possible delay each other, but not a
 * client that asks for little. How busy the machine is otherwise is measured by calls to another
 * group.
 */
@Tag("alone")
final class LargePollsIT {
  private static final Duration IN_TIME = Duration.ofMillis(50);
  private static final int SLOWER = 3;
  private static final int POLLERS = Integer.getInteger("joshua.large-pollers", 50);
  private static final int CALLS = Integer.getInteger("joshua.calm-calls", 600);
  private static final int BYTES = 900_000;
  private static final double PERCENT = 99;
  private static final Duration WITHIN = Duration.ofSeconds(120);
  private static final Duration BETWEEN = Duration.ofMillis(1);
  private static final String LIBRARY = "library";
  private static final TestEnvironment STAGE = new TestEnvironment();
  private static GroupUnderTest groupUnderTest;
  private static GroupUnderTest undisturbed;

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
  void whoAsksForLittleIsServedInTimeBesideThoseWhoAskForMuch() {
    List<WellBehavedCaller> calm =
        List.of(
            caller("calm-http", WellBehavedCaller.http(RawWeb.to(groupUnderTest.gracePort()))),
            caller(
                "calm-ws",
                WellBehavedCaller.frames(RawWeb.to(groupUnderTest.gracePort()).frames())));
    WellBehavedCaller control =
        caller("elsewhere", WellBehavedCaller.frames(RawWeb.to(undisturbed.gracePort()).frames()));
    String cursor = fillLibrary();
    List<HostileProgram> pollers = new ArrayList<>();
    for (int i = 0; i < POLLERS; i++) {
      HostileProgram.Round round = i % 2 == 0 ? overHttp(cursor) : overSocket(cursor);
      pollers.add(STAGE.add(new HostileProgram("poller-" + i, BETWEEN, round)));
    }
    await().atMost(WITHIN).until(() -> pollers.stream().allMatch(one -> one.rounds() > 0));
    calm.forEach(WellBehavedCaller::timing);
    control.timing();
    int before = rounds(pollers);
    await().atMost(WITHIN).until(() -> calm.stream().allMatch(one -> one.calls() >= CALLS));
    int polls = rounds(pollers) - before;
    List<WellBehavedCaller.Timing> timings = calm.stream().map(WellBehavedCaller::timing).toList();
    WellBehavedCaller.Timing elsewhere = control.timing();
    System.out.printf(
        "beside %d pollers (%d polls of %d bytes): %s; elsewhere meanwhile: %s%n",
        POLLERS, polls, 2 * BYTES, timings, elsewhere);

    assertThat(calm.stream().flatMap(one -> one.troubles().stream())).isEmpty();
    assertThat(pollers.stream().flatMap(one -> one.troubles().stream())).isEmpty();
    assertThat(polls).isPositive();
    Duration slower = elsewhere.within(PERCENT).multipliedBy(SLOWER);
    Duration inTime = slower.compareTo(IN_TIME) > 0 ? slower : IN_TIME;
    assertThat(timings).allSatisfy(timing -> assertThat(timing.within(PERCENT)).isLessThan(inTime));
  }

  private static int rounds(List<HostileProgram> pollers) {
    return pollers.stream().mapToInt(HostileProgram::rounds).sum();
  }

  private static WellBehavedCaller caller(String name, WellBehavedCaller.Transport transport) {
    return STAGE.add(new WellBehavedCaller(name, transport));
  }

  /** A queue with two large messages; a poll with its first cursor returns both, each time. */
  private static String fillLibrary() {
    FrameSocketClient sender = groupUnderTest.client();
    String cursor = sender.subscribe(LIBRARY, "mad.direct." + LIBRARY).path("cursor").asText();
    for (int i = 0; i < 2; i++) {
      sender.send("sender", "mad.direct." + LIBRARY, "{'x':'%s'}".formatted("x".repeat(BYTES)));
    }
    return cursor;
  }

  private static String poll(String cursor) {
    return "{'client_id':'%s','cursor':'%s','wait_ms':5000}".formatted(LIBRARY, cursor);
  }

  private static HostileProgram.Round overHttp(String cursor) {
    RawWeb web = STAGE.add(RawWeb.to(groupUnderTest.gracePort()));
    String request = McpText.modernCall(1, "grace_poll_messages", poll(cursor)).post();
    return _ -> {
      String head = web.say(request).head();
      web.body(head);
    };
  }

  private static HostileProgram.Round overSocket(String cursor) {
    RawWeb web = STAGE.add(RawWeb.to(groupUnderTest.gracePort())).frames();
    String frame =
        "{\"tool_name\":\"grace_poll_messages\",\"tool_input\":%s}"
            .formatted(poll(cursor).replace('\'', '"'));
    return _ -> web.text(frame).read();
  }
}
