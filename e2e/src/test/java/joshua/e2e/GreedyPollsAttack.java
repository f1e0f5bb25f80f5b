package joshua.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.kernel.Json;

/** Fifty clients that poll the same 1.8 MB repeatedly, half of them by HTTP. */
final class GreedyPollsAttack implements HostileAttack {
  private static final int CLIENTS = 50;
  private static final int FIRST = 2_940;
  private static final int MESSAGE_BYTES = 900_000;
  private static final String TOPIC = "mad.topic.greedy";
  private static final Duration BREATH = Duration.ofMillis(20);

  private final AttackTarget target;

  GreedyPollsAttack(AttackTarget target) {
    this.target = target;
  }

  @Override
  public String name() {
    return "greedy polls";
  }

  private static String client(int number) {
    return AttackTokens.hostile(FIRST + number);
  }

  @Override
  public void attack(AttackWindow window, OutcomeCounts outcomes) throws InterruptedException {
    String[] cursors = new String[CLIENTS];
    AtomicInteger ready = new AtomicInteger();
    HostileLanes.run(
        CLIENTS,
        outcomes,
        lane -> {
          try (FrameSocketClient client = target.client(client(lane))) {
            cursors[lane] = client.subscribe(client(lane), TOPIC).path("cursor").asText();
            ready.incrementAndGet();
          }
        });
    outcomes.add("clients", ready.get());
    sendTwo(outcomes);
    HostileLanes.run(
        CLIENTS,
        outcomes,
        lane -> {
          if (cursors[lane] == null) {
            return;
          }
          String input = "{'client_id':'%s','cursor':'%s'}".formatted(client(lane), cursors[lane]);
          try (RawWeb web = RawWeb.to(target.grace())) {
            if (lane % 2 == 0) {
              pollByHttp(web, lane, input, window, outcomes);
            } else {
              pollByFrames(web, lane, input, window, outcomes);
            }
          }
        });
  }

  private void sendTwo(OutcomeCounts outcomes) {
    try (FrameSocketClient herald = target.client(AttackTokens.HERALD)) {
      for (int n = 0; n < 2; n++) {
        var input = Json.object().put("channel", TOPIC).put("client_id", AttackTokens.HERALD);
        input.putObject("payload").put("text", "g".repeat(MESSAGE_BYTES));
        JsonNode sent = FrameSocketClient.await(herald.begin("grace_send_message", input));
        outcomes.count("messages: " + HostileCaller.outcome(sent));
      }
    }
  }

  private static void pollByHttp(
      RawWeb web, int lane, String input, AttackWindow window, OutcomeCounts outcomes)
      throws InterruptedException {
    String request =
        AttackTokens.as(client(lane), McpText.modernCall(1, "grace_poll_messages", input)).post();
    while (window.open()) {
      String head = web.say(request).head();
      outcomes.count(web.skipBody(head) > MESSAGE_BYTES ? "large by HTTP" : "refused by HTTP");
      window.pause(BREATH);
    }
  }

  private static void pollByFrames(
      RawWeb web, int lane, String input, AttackWindow window, OutcomeCounts outcomes)
      throws InterruptedException {
    web.socket("/ws", AttackTokens.header(client(lane)));
    byte[] request =
        RawWeb.textFrame(
            "{\"tool_name\":\"grace_poll_messages\",\"tool_input\":%s}"
                .formatted(input.replace('\'', '"')));
    while (window.open()) {
      RawWeb.Frame answer = web.write(request).read();
      outcomes.count(
          answer.payload().length > MESSAGE_BYTES
              ? "large by /ws"
              : "/ws: " + HostileCaller.outcome(answer));
      if (answer.opcode() == RawWeb.CLOSE) {
        return;
      }
      window.pause(BREATH);
    }
  }

  @Override
  public void withdraw() {
    HostileCaller.unsubscribe(target, FIRST, FIRST + CLIENTS);
  }
}
