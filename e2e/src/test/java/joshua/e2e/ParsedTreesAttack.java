package joshua.e2e;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;

/**
 * Sends text that is small as text and large as a parsed tree: frames and bodies of almost 4 MiB,
 * and envelopes of almost 1 MiB, of nothing but empty objects.
 */
final class ParsedTreesAttack implements HostileAttack {
  private static final int SOCKETS = 4;
  private static final int FRAME_BYTES = (4 << 20) - 1024;
  private static final int ENVELOPE_BYTES = (1 << 20) - 1024;
  private static final Duration BETWEEN_ROUNDS = Duration.ofMillis(200);
  private static final String TOPIC = "mad.topic.trees";
  private static final List<String> CHANNELS =
      List.of(TOPIC, "mad.direct.fiedler", "mad.direct.rogers", "mad.broadcast");

  private final AttackTarget target;
  private final byte[] frame;
  private final byte[] dialogue;
  private final McpText request;

  ParsedTreesAttack(AttackTarget target) {
    this.target = target;
    String tree = "{'client_id':'%s','a':%s}".formatted(AttackTokens.viewer(0), tree(FRAME_BYTES));
    request =
        AttackTokens.as(AttackTokens.viewer(0), McpText.modernCall(1, "grace_poll_messages", tree));
    dialogue = RawWeb.textFrame(request.body());
    frame =
        RawWeb.textFrame(
            "{\"tool_name\":\"grace_poll_messages\",\"tool_input\":%s}"
                .formatted(tree.replace('\'', '"')));
  }

  private static String tree(int bytes) {
    return "[" + "{},".repeat((bytes - 600) / 3) + "{}]";
  }

  @Override
  public String name() {
    return "parsed trees";
  }

  @Override
  public void attack(AttackWindow window, OutcomeCounts outcomes) throws InterruptedException {
    try (HostileCaller follower = new HostileCaller(target.grace())) {
      String client = AttackTokens.hostile(0);
      follower.call(
          client,
          "grace_subscribe",
          "{'client_id':'%s','topics':['%s','mad.broadcast']}".formatted(client, TOPIC));
    }
    for (int round = 0; window.open(); round++) {
      int port = target.port(round);
      HostileLanes.run(
          SOCKETS,
          outcomes,
          lane -> {
            outcomes.count("/ws: " + overSocket(port, "/ws", frame));
            outcomes.count("/mcp socket: " + overSocket(port, "/mcp", dialogue));
            try (HostileCaller http = new HostileCaller(port)) {
              outcomes.count("/mcp: " + http.say(request));
            }
          });
      publish(outcomes);
      window.pause(BETWEEN_ROUNDS);
    }
  }

  private static String overSocket(int port, String path, byte[] frame) {
    try (RawWeb web = RawWeb.to(port)) {
      web.socket(path, AttackTokens.header(AttackTokens.viewer(0))).write(frame);
      return HostileCaller.outcome(web.read());
    } catch (UncheckedIOException | AssertionError e) {
      return "cut off";
    }
  }

  private void publish(OutcomeCounts outcomes) {
    String payload = "{\"prompt\":\"tasks\",\"a\":%s}".formatted(tree(ENVELOPE_BYTES));
    try (RawRedis redis = target.redis()) {
      for (String channel : CHANNELS) {
        String envelope = RawEnvelope.on(channel).from("stranger").payload(payload).json();
        redis.publish(channel, envelope);
        outcomes.count("envelopes");
      }
    } catch (UncheckedIOException | AssertionError e) {
      outcomes.count("envelopes cut off");
    }
  }

  @Override
  public void withdraw() {
    HostileCaller.unsubscribe(target, 0, 1);
  }
}
