package joshua.e2e;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.kernel.Json;

/**
 * An attack that holds everything that can be held at once: sockets with a waiting poll each, older
 * MCP sessions, and queues full of large messages that are never polled.
 */
final class FullLimitsAttack implements HostileAttack {
  private static final int LANES = 4;
  private static final int SOCKETS = 1_200;
  private static final int SESSIONS = 10_000;
  private static final int LIBRARIES = 10;
  private static final int MESSAGES = 1_000;
  private static final int MESSAGE_BYTES = 150_000;
  private static final int FIRST = 1_700;
  private static final Duration BREATH = Duration.ofMillis(10);

  private static final McpText INITIALIZE =
      McpText.legacy(
          1,
          "initialize",
          "'protocolVersion':'2025-11-25','capabilities':{},'clientInfo':{'name':'a','version':'1'}");

  private final AttackTarget target;
  private final AtomicInteger clients = new AtomicInteger();

  FullLimitsAttack(AttackTarget target) {
    this.target = target;
  }

  @Override
  public String name() {
    return "full limits";
  }

  private static String client(int number) {
    return AttackTokens.hostile(FIRST + number);
  }

  @Override
  public void attack(AttackWindow window, OutcomeCounts outcomes) throws InterruptedException {
    Queue<RawWeb> sockets = new ConcurrentLinkedQueue<>();
    try {
      HostileLanes.run(
          3,
          outcomes,
          kind -> {
            switch (kind) {
              case 0 -> holdSockets(window, outcomes, sockets);
              case 1 -> holdSessions(window, outcomes);
              default -> fillQueues(window, outcomes);
            }
          });
      window.pause(window.remaining());
    } finally {
      sockets.forEach(RawWeb::close);
    }
  }

  private void holdSockets(AttackWindow window, OutcomeCounts outcomes, Queue<RawWeb> sockets)
      throws InterruptedException {
    int most = window.scaled(SOCKETS);
    AtomicInteger next = new AtomicInteger();
    HostileLanes.run(
        LANES,
        outcomes,
        lane -> {
          for (int n = next.getAndIncrement();
              n < most && window.open();
              n = next.getAndIncrement()) {
            holdSocket(LIBRARIES + n, outcomes, sockets);
            clients.accumulateAndGet(LIBRARIES + n, Math::max);
            window.pause(BREATH);
          }
        });
  }

  private void holdSocket(int number, OutcomeCounts outcomes, Queue<RawWeb> sockets) {
    String client = client(number);
    RawWeb web = RawWeb.to(target.grace());
    sockets.add(web);
    try {
      web.socket("/ws", AttackTokens.header(client));
      web.text(
          "{\"tool_name\":\"grace_subscribe\",\"tool_input\":{\"client_id\":\"%s\",\"topics\":[\"mad.topic.quiet\"]}}"
              .formatted(client));
      outcomes.count(
          "sockets: " + HostileCaller.outcome(FrameSocketClient.parse(web.read().text())));
      web.text(
          "{\"tool_name\":\"grace_poll_messages\",\"tool_input\":{\"client_id\":\"%s\",\"wait_ms\":25000}}"
              .formatted(client));
    } catch (UncheckedIOException | AssertionError e) {
      outcomes.count("sockets: cut off");
    }
  }

  private void holdSessions(AttackWindow window, OutcomeCounts outcomes)
      throws InterruptedException {
    try (HostileCaller caller = new HostileCaller(target.grace())) {
      for (int n = 0; n < window.scaled(SESSIONS) && window.open(); n++) {
        outcomes.count("sessions: " + caller.say(AttackTokens.as(client(n), INITIALIZE)));
        if (n % LANES == 0) {
          window.pause(Duration.ofMillis(1));
        }
      }
    }
  }

  private void fillQueues(AttackWindow window, OutcomeCounts outcomes) throws InterruptedException {
    try (HostileCaller caller = new HostileCaller(target.grace());
        FrameSocketClient herald = target.client(AttackTokens.HERALD)) {
      for (int library = 0; library < LIBRARIES; library++) {
        outcomes.count(
            "queues: "
                + caller.call(
                    client(library),
                    "grace_subscribe",
                    "{'client_id':'%s','topics':['mad.topic.library-%d']}"
                        .formatted(client(library), library)));
      }
      String text = "z".repeat(MESSAGE_BYTES);
      for (int n = 0; n < window.scaled(MESSAGES) && window.open(); n++) {
        var input = Json.object().put("channel", "mad.topic.library-" + n % LIBRARIES);
        input.put("client_id", AttackTokens.HERALD).putObject("payload").put("text", text);
        outcomes.count(
            "messages: "
                + HostileCaller.outcome(
                    FrameSocketClient.await(herald.begin("grace_send_message", input))));
        window.pause(BREATH);
      }
    }
  }

  @Override
  public void withdraw() {
    HostileCaller.unsubscribe(target, FIRST, FIRST + clients.get() + 1);
  }
}
