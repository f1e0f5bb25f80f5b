package joshua.conversation;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.ChannelPattern;
import joshua.conversation.envelope.Envelope;
import joshua.kernel.Identifiers;
import org.jspecify.annotations.Nullable;

/**
 * The latest reports of relays about their clients on {@code mad.system.relay}, by instance. Unlike
 * presence they include the queues of clients that have long been silent. A relay that has left, or
 * hasn't reported for {@link #REPORT_TTL}, is removed.
 */
public final class RelayReports {
  public static final Channel CHANNEL = new Channel("mad.system.relay");
  public static final int MAX_PATTERNS = 500; // relays leave out what is beyond
  public static final int MAX_UNREAD = 100; // clients
  private static final Duration REPORT_TTL = Duration.ofSeconds(30);
  private static final int MAX_RELAYS = 20;

  private final Map<String, Report> reports = new ConcurrentHashMap<>();

  /**
   * A relay's report.
   *
   * @param relay its name
   * @param patterns that its clients follow, with the number of clients; 0: only a reply is awaited
   * @param left that clients have lately ceased to follow, and when the relay reported that
   * @param unread clients with the number of their unread messages, the largest first
   */
  public record Report(
      String relay,
      String instance,
      Instant at,
      Map<String, Integer> patterns,
      Map<String, Instant> left,
      Map<String, Integer> unread) {
    /** Whether the relay may have left out patterns. */
    public boolean isTruncated() {
      return patterns.size() >= MAX_PATTERNS;
    }

    /** Whether some client receives what is published on a channel. */
    public boolean reaches(String channel) {
      return patterns.containsKey(channel)
          || patterns.keySet().stream().anyMatch(pattern -> matches(pattern, channel));
    }

    /** Whether a client that has left since received what was published on a channel by then. */
    public boolean reached(String channel, Instant published) {
      return left.entrySet().stream()
          .anyMatch(
              each -> !each.getValue().isBefore(published) && matches(each.getKey(), channel));
    }

    private static boolean matches(String pattern, String channel) {
      ChannelPattern parsed = new ChannelPattern(pattern);
      return parsed.matches(channel) && parsed.asksFor(channel);
    }
  }

  /** Takes a report or a relay's {@code leave}, and ignores other messages. */
  public void take(Envelope envelope, Instant at) {
    JsonNode payload = envelope.payload();
    if (envelope.channel().equals(CHANNEL)) {
      String instance = payload.path("instance").asText();
      alive(at); // removes expired ones
      if (reports.size() < MAX_RELAYS || reports.containsKey(instance)) {
        Predicate<String> isPattern = text -> ChannelPattern.parse(text).isPresent();
        Map<String, Integer> patterns = numbers(payload.path("patterns"), isPattern, MAX_PATTERNS);
        Map<String, Integer> unread =
            numbers(payload.path("unread"), Identifiers::isName, MAX_UNREAD);
        Map<String, Instant> left = left(reports.get(instance), payload.path("left"), at);
        reports.put(
            instance, new Report(envelope.senderId(), instance, at, patterns, left, unread));
      }
    } else if (envelope.channel().equals(Channel.PRESENCE)
        && payload.path("event").asText().equals("leave")
        && !payload.has("via")) {
      reports.remove(payload.path("instance").asText());
    }
  }

  private static Map<String, Instant> left(@Nullable Report before, JsonNode topics, Instant at) {
    Map<String, Instant> left = new HashMap<>(before == null ? Map.of() : before.left());
    left.values().removeIf(since -> since.isBefore(at.minus(REPORT_TTL)));
    for (JsonNode topic : topics) {
      if (left.size() < MAX_PATTERNS && ChannelPattern.parse(topic.asText()).isPresent()) {
        left.put(topic.asText(), at);
      }
    }
    return left;
  }

  private static Map<String, Integer> numbers(JsonNode object, Predicate<String> isName, int most) {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> each : object.properties()) {
      if (numbers.size() < most && isName.test(each.getKey())) {
        numbers.put(each.getKey(), each.getValue().asInt());
      }
    }
    return numbers;
  }

  /** The reports of the relays that are alive. */
  public Collection<Report> alive(Instant now) {
    reports.values().removeIf(report -> report.at().isBefore(now.minus(REPORT_TTL)));
    return List.copyOf(reports.values());
  }
}
