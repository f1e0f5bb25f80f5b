package joshua.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.kernel.Json;
import joshua.kernel.TimedWait;
import joshua.testing.MessageFlood;

/**
 * A scenario that publishes a flood of envelopes to Redis as fast as Rogers counts them, measured
 * from the first published to the last counted. The counts are compared by sender and kind of
 * channel.
 */
final class RogersCount implements BenchmarkScenario {
  private static final String METRIC = "joshua_rogers_messages_total";
  private static final Pattern COUNTED = Pattern.compile("(?m)^" + METRIC + "(?:\\{.*})? (\\S+)$");

  /** About 40 MB: less than the backlog at which Redis disconnects a slow subscriber. */
  private static final long ON_THE_WAY = 100_000;

  /** Messages between two checks of the limit. */
  static final int SLICE = 25_000;

  private static final int SENDERS = 20;
  private static final int ROUND = 1_000;

  /**
   * A scrape costs Rogers a little as well, so it is rare during the flood, and more frequent at
   * its end.
   */
  private static final Duration SCRAPE_EVERY = Duration.ofMillis(40);

  private static final Duration SCRAPE_AT_THE_END = Duration.ofMillis(5);
  private static final Duration WRITTEN_WITHIN = Duration.ofSeconds(15);

  private final TimedWait timedWait;

  RogersCount(TimedWait timedWait) {
    this.timedWait = timedWait;
  }

  @Override
  public String name() {
    return "rogers_count";
  }

  @Override
  public List<BenchmarkFigure> run(MeasuredGroup group, WorkLimit limit, String marker)
      throws InterruptedException {
    McpCaller rogers = new McpCaller(group.port("rogers"));
    Map<String, Long> before = storedCounts(rogers);
    try (MessageFlood messageFlood =
        new MessageFlood(
            group.port("redis"),
            group.password(),
            MessageFlood.talk(SENDERS, ROUND, new Random(1)))) {
      double rate = publishAndAwait(messageFlood, group, limit);
      verifyStored(rogers, before, messageFlood.expected(messageFlood.sent()));
      return List.of(BenchmarkFigure.rate("messages_per_second", rate));
    } catch (IOException e) {
      throw new BenchmarkException(String.valueOf(e.getMessage()), e);
    }
  }

  private double publishAndAwait(MessageFlood messageFlood, MeasuredGroup group, WorkLimit limit)
      throws IOException, InterruptedException {
    long base = counted(group);
    AtomicLong counted = new AtomicLong();
    AtomicLong scrapedAt = new AtomicLong(System.nanoTime());
    WorkLimit slices = new WorkLimit(Math.max(1, limit.count() / SLICE), limit.time());
    WorkSpan span = new WorkSpan(slices, timedWait);
    span.begin();
    long began = System.nanoTime();
    for (OptionalInt slice = span.next(); slice.isPresent(); slice = span.next()) {
      messageFlood.publish(
          SLICE,
          sent -> {
            if (sent - counted.get() >= ON_THE_WAY
                && System.nanoTime() - scrapedAt.get() >= SCRAPE_EVERY.toNanos()) {
              counted.set(scrape(group) - base);
              scrapedAt.set(System.nanoTime());
            }
            if (System.nanoTime() - began > limit.time().plus(WorkSpan.ANSWER_WITHIN).toNanos()) {
              throw stalled(messageFlood, counted.get());
            }
            return sent - counted.get() < ON_THE_WAY;
          });
    }
    long deadline = System.nanoTime() + WorkSpan.ANSWER_WITHIN.toNanos();
    while (counted(group) - base < messageFlood.sent()) {
      if (System.nanoTime() > deadline) {
        throw stalled(messageFlood, counted(group) - base);
      }
      timedWait.pause(SCRAPE_AT_THE_END);
    }
    return messageFlood.sent()
        * (double) TimeUnit.SECONDS.toNanos(1)
        / Math.max(1, System.nanoTime() - began);
  }

  private static BenchmarkException stalled(MessageFlood messageFlood, long counted) {
    return new BenchmarkException(
        "of %d messages published Rogers had counted %d when time was up"
            .formatted(messageFlood.sent(), counted));
  }

  private static long scrape(MeasuredGroup group) {
    try {
      return counted(group);
    } catch (IOException e) {
      throw new BenchmarkException("Rogers' metrics can't be read", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchmarkException("interrupted", e);
    }
  }

  /** All messages that Rogers has counted, including the few of the group's own. */
  private static long counted(MeasuredGroup group) throws IOException, InterruptedException {
    Matcher line = COUNTED.matcher(group.get("rogers", "/metrics").body());
    if (!line.find()) {
      throw new BenchmarkException("Rogers' metrics have no " + METRIC);
    }
    return (long) Double.parseDouble(line.group(1));
  }

  /** Rogers writes its counts once a second. */
  private void verifyStored(McpCaller rogers, Map<String, Long> before, Map<String, Long> published)
      throws InterruptedException {
    Map<String, Long> expected = new TreeMap<>(before);
    published.forEach((key, count) -> expected.merge(key, count, Long::sum));
    long deadline = System.nanoTime() + WRITTEN_WITHIN.toNanos();
    Map<String, Long> stored = storedCounts(rogers);
    while (!stored.equals(expected)) {
      if (System.nanoTime() > deadline) {
        throw new BenchmarkException(difference(expected, stored));
      }
      timedWait.pause(SCRAPE_EVERY);
      stored = storedCounts(rogers);
    }
  }

  /** A sentence on the first difference. */
  static String difference(Map<String, Long> expected, Map<String, Long> stored) {
    Map<String, Long> all = new TreeMap<>(stored);
    all.putAll(expected);
    String first =
        all.keySet().stream()
            .filter(key -> !expected.getOrDefault(key, 0L).equals(stored.getOrDefault(key, 0L)))
            .findFirst()
            .orElse("");
    return "Rogers counted %d messages of %s, and %d were published"
        .formatted(stored.getOrDefault(first, 0L), first, expected.getOrDefault(first, 0L));
  }

  /** By sender and kind of channel: {@code sender-3 mad.topic}. */
  private static Map<String, Long> storedCounts(McpCaller rogers) throws InterruptedException {
    ObjectNode question = Json.object();
    question.putArray("group_by").add("sender_id").add("topic_pattern");
    Map<String, Long> counts = new TreeMap<>();
    for (JsonNode row : rogers.call("rogers_get_stats", question).path("stats")) {
      String sender = row.path("sender_id").asText();
      if (sender.startsWith("sender-")) {
        counts.put(
            sender + " " + row.path("topic_pattern").asText(), row.path("message_count").asLong());
      }
    }
    return counts;
  }
}
