package joshua.rogers;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;

/** A relay written by hand: it sends the ledgers that a test makes it send. */
public final class ByHand {
  private final RawRedis connection;
  private final String epoch;
  private final Map<String, String> subscriptions = new LinkedHashMap<>();
  private String pairs = pairs(0, 0, 0, 0);
  private String losers = "";
  private long marker;

  public ByHand(RawRedis connection, String epoch) {
    this.connection = connection;
    this.epoch = epoch;
  }

  private static String pairs(long matched, long delivered, long overflow, long waiting) {
    return """
    {"matched":%d,"delivered":%d,"dropped":{"overflow":%d,"evicted":0,"unsubscribed":0},"waiting":%d}\
    """
        .formatted(matched, delivered, overflow, waiting);
  }

  public ByHand received(String pattern, long sinceMarker, long copies) {
    subscriptions.put(
        pattern, "{\"since_marker\":%d,\"received\":%d}".formatted(sinceMarker, copies));
    return this;
  }

  public ByHand accounts(long matched, long delivered, long overflow, long waiting) {
    pairs = pairs(matched, delivered, overflow, waiting);
    return this;
  }

  public ByHand loser(String client, String missed, String reason) {
    losers =
        "{\"client_id\":\"%s\",\"missed\":%s,\"reason\":\"%s\"}".formatted(client, missed, reason);
    return this;
  }

  /** A marker and, at once, its ledger. */
  public void tell() {
    mark();
    ledger();
  }

  public void mark() {
    marker++;
    say("{\"epoch\":\"%s\",\"instance\":\"i\",\"marker\":%d}".formatted(epoch, marker));
  }

  public void ledger() {
    String told =
        subscriptions.entrySet().stream()
            .map(each -> "\"" + each.getKey() + "\":" + each.getValue())
            .collect(Collectors.joining(","));
    say(
        "{\"epoch\":\"%s\",\"instance\":\"i\",\"marker\":%d,\"subscriptions\":{%s},\"pairs\":%s,\"losers\":[%s]}"
            .formatted(epoch, marker, told, pairs, losers));
    losers = "";
  }

  private void say(String payload) {
    String channel = "mad.system.ledger";
    connection.publish(channel, RawEnvelope.on(channel).from("relay").payload(payload).json());
  }

  public void publish(String channel, int messages) {
    for (int i = 0; i < messages; i++) {
      connection.publish(channel, RawEnvelope.on(channel).json());
    }
  }
}
