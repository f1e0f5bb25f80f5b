package joshua.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client that polls with cursors and records what arrived, and every gap that was reported to it.
 */
final class CursorListener {
  private static final String POLL =
      "{'client_id':'%s','cursor':'%s','wait_ms':%d,'max_messages':2000}";
  private static final int WAIT_MILLIS = 1_000;

  /**
   * A gap in an answer.
   *
   * @param told when the answer came
   */
  record Gap(String reason, OptionalLong missed, Instant since, Instant told) {
    /** Whether a message sent between these two moments may have been missed. */
    boolean covers(Instant begun, Instant answered) {
      return !since.isAfter(answered) && !begun.isAfter(told);
    }
  }

  private final String name;
  private final FrameSocketClient socket;
  private final Set<String> topics;
  private final Map<String, Instant> heard = new ConcurrentHashMap<>();
  private final Map<String, Integer> lastOf = new ConcurrentHashMap<>();
  private final List<Gap> gaps = new CopyOnWriteArrayList<>();
  private final List<String> faults = new CopyOnWriteArrayList<>();
  private final AtomicInteger messages = new AtomicInteger();
  private String cursor;

  /** Subscribes, and polls from its first cursor on when {@link #poll} is called. */
  CursorListener(String name, FrameSocketClient socket, Set<String> topics) {
    this.name = name;
    this.socket = socket;
    this.topics = Set.copyOf(topics);
    JsonNode subscribed = socket.subscribe(name, topics.toArray(String[]::new));
    if (!subscribed.path("status").asText().equals("success")) {
      throw new AssertionError(subscribed);
    }
    this.cursor = subscribed.path("cursor").asText();
  }

  /** Polls until everything in {@code last} has come. */
  void pollUntil(Set<String> last) {
    while (!heard.keySet().containsAll(last)) {
      poll();
    }
  }

  /** Polls once, waiting a moment for something to come. */
  void poll() {
    JsonNode answer = socket.call("grace_poll_messages", POLL.formatted(name, cursor, WAIT_MILLIS));
    Instant now = Instant.now();
    if (!answer.path("status").asText().equals("success")) {
      throw new AssertionError(name + " was answered " + answer);
    }
    cursor = answer.path("cursor").asText();
    JsonNode gap = answer.path("gap");
    if (gap.isObject()) {
      gaps.add(
          new Gap(
              gap.path("reason").asText(),
              gap.path("missed").isNumber()
                  ? OptionalLong.of(gap.path("missed").asLong())
                  : OptionalLong.empty(),
              Instant.parse(gap.path("since").asText()),
              now));
    }
    answer.path("messages").forEach(message -> hear(message, now));
  }

  private void hear(JsonNode message, Instant now) {
    String by = message.path("payload").path("by").asText();
    int n = message.path("payload").path("n").asInt();
    String key = TopicPublisher.key(by, n);
    messages.incrementAndGet();
    if (heard.putIfAbsent(key, now) != null) {
      faults.add(key + " came twice");
    }
    int before = lastOf.getOrDefault(by, 0);
    if (n <= before) {
      faults.add(key + " came after " + TopicPublisher.key(by, before));
    }
    lastOf.put(by, n);
  }

  String name() {
    return name;
  }

  boolean follows(String channel) {
    return topics.contains(channel);
  }

  /** The messages that arrived, and when. */
  Map<String, Instant> heard() {
    return heard;
  }

  List<Gap> gaps() {
    return gaps;
  }

  /** Violations: repeats, and messages of one talker out of order. */
  List<String> faults() {
    return faults;
  }
}
