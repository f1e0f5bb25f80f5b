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
 * Many clients that poll large answers as fast as they come wait for each other, and not a client
 * that asks for little. How busy the machine is otherwise is told by calls to another group.
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
  private static final Stage STAGE = new Stage();
  private static Group group;
  private static Group undisturbed;

  @BeforeAll
  static void start() {
    group = STAGE.up();
    undisturbed = STAGE.up("JOSHUA_DATA_DIR=" + STAGE.path().resolve("undisturbed"));
  }

  @AfterAll
  static void stop() {
    STAGE.close();
  }

  @Test
  void whoAsksForLittleIsServedInTimeBesideThoseWhoAskForMuch() {
    List<CalmCaller> calm =
        List.of(
            caller("calm-http", CalmCaller.http(RawWeb.to(group.gracePort()))),
            caller("calm-ws", CalmCaller.frames(RawWeb.to(group.gracePort()).frames())));
    CalmCaller control =
        caller("elsewhere", CalmCaller.frames(RawWeb.to(undisturbed.gracePort()).frames()));
    String cursor = fillLibrary();
    List<Adversary> pollers = new ArrayList<>();
    for (int i = 0; i < POLLERS; i++) {
      Adversary.Round round = i % 2 == 0 ? overHttp(cursor) : overSocket(cursor);
      pollers.add(STAGE.add(new Adversary("poller-" + i, BETWEEN, round)));
    }
    await().atMost(WITHIN).until(() -> pollers.stream().allMatch(one -> one.rounds() > 0));
    calm.forEach(CalmCaller::timing);
    control.timing();
    int before = rounds(pollers);
    await().atMost(WITHIN).until(() -> calm.stream().allMatch(one -> one.calls() >= CALLS));
    int polls = rounds(pollers) - before;
    List<CalmCaller.Timing> timings = calm.stream().map(CalmCaller::timing).toList();
    CalmCaller.Timing elsewhere = control.timing();
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

  private static int rounds(List<Adversary> pollers) {
    return pollers.stream().mapToInt(Adversary::rounds).sum();
  }

  private static CalmCaller caller(String name, CalmCaller.Transport transport) {
    return STAGE.add(new CalmCaller(name, transport));
  }

  /** A queue with two large messages; a poll with its first cursor gets both, again and again. */
  private static String fillLibrary() {
    WsClient sender = group.client();
    String cursor = sender.subscribe(LIBRARY, "mad.direct." + LIBRARY).path("cursor").asText();
    for (int i = 0; i < 2; i++) {
      sender.send("sender", "mad.direct." + LIBRARY, "{'x':'%s'}".formatted("x".repeat(BYTES)));
    }
    return cursor;
  }

  private static String poll(String cursor) {
    return "{'client_id':'%s','cursor':'%s','wait_ms':5000}".formatted(LIBRARY, cursor);
  }

  private static Adversary.Round overHttp(String cursor) {
    RawWeb web = STAGE.add(RawWeb.to(group.gracePort()));
    String request = McpText.modernCall(1, "grace_poll_messages", poll(cursor)).post();
    return _ -> {
      String head = web.say(request).head();
      web.body(head);
    };
  }

  private static Adversary.Round overSocket(String cursor) {
    RawWeb web = STAGE.add(RawWeb.to(group.gracePort())).frames();
    String frame =
        "{\"tool_name\":\"grace_poll_messages\",\"tool_input\":%s}"
            .formatted(poll(cursor).replace('\'', '"'));
    return _ -> web.text(frame).read();
  }
}
