package joshua.rogers.verb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import joshua.kernel.Json;
import joshua.ssh.StyledLine;
import joshua.ssh.TextStyle;
import joshua.ssh.TextTable;

/**
 * The traffic per second, between two measurements.
 *
 * @param seconds between them
 * @param all the total
 * @param channels the busiest, most messages first
 * @param senders the busiest, most messages first
 */
record TrafficRates(double seconds, Rate all, List<Rate> channels, List<Rate> senders) {
  private static final double NANOS = 1e9;
  private static final double KIB = 1024;
  private static final double SHORTEST = 1e-3;

  /** The traffic per second of one name. */
  record Rate(String name, double messages, double bytes) {}

  private record Total(long messages, long bytes) {
    static Total of(JsonNode row) {
      return new Total(row.path("messages").asLong(), row.path("bytes").asLong());
    }

    Rate since(Total before, String name, double seconds) {
      return new Rate(
          name, (messages - before.messages) / seconds, (bytes - before.bytes) / seconds);
    }
  }

  static TrafficRates between(TrafficSnapshot before, TrafficSnapshot after, int most) {
    double seconds = Math.max(SHORTEST, after.at().minus(before.at()).toNanos() / NANOS);
    return new TrafficRates(
        seconds,
        Total.of(after.all().path(0)).since(Total.of(before.all().path(0)), "all", seconds),
        rates("channel", before.channels(), after.channels(), seconds, most),
        rates("sender", before.senders(), after.senders(), seconds, most));
  }

  private static List<Rate> rates(
      String column, JsonNode before, JsonNode after, double seconds, int most) {
    Map<String, Total> earlier = new HashMap<>();
    before.forEach(row -> earlier.put(row.path(column).asText(), Total.of(row)));
    List<Rate> rates = new ArrayList<>();
    for (JsonNode row : after) {
      String name = row.path(column).asText();
      Total past = earlier.getOrDefault(name, new Total(0, 0));
      Rate rate = Total.of(row).since(past, name, seconds);
      if (rate.messages() > 0) {
        rates.add(rate);
      }
    }
    rates.sort(Comparator.comparingDouble(Rate::messages).reversed().thenComparing(Rate::name));
    return rates.subList(0, Math.min(most, rates.size()));
  }

  List<StyledLine> lines() {
    List<StyledLine> lines = new ArrayList<>();
    lines.add(
        StyledLine.of(
            "%s messages/s, %s KiB/s (over %s s)"
                .formatted(tenths(all.messages()), tenths(all.bytes() / KIB), tenths(seconds)),
            TextStyle.STRONG));
    lines.add(StyledLine.of(""));
    lines.addAll(table("CHANNEL", channels));
    lines.add(StyledLine.of(""));
    lines.addAll(table("SENDER", senders));
    return lines;
  }

  private static List<StyledLine> table(String heading, List<Rate> rates) {
    TextTable textTable = new TextTable("#MESSAGES/S", "#KIB/S", heading);
    for (Rate rate : rates) {
      textTable.add(tenths(rate.messages()), tenths(rate.bytes() / KIB), rate.name());
    }
    return textTable.lines();
  }

  ObjectNode json() {
    ObjectNode json =
        Json.object()
            .put("seconds", tenth(seconds))
            .put("messages_per_s", tenth(all.messages()))
            .put("bytes_per_s", tenth(all.bytes()));
    put(json.putArray("channels"), "channel", channels);
    put(json.putArray("senders"), "sender", senders);
    return json;
  }

  private static void put(ArrayNode array, String column, List<Rate> rates) {
    for (Rate rate : rates) {
      array
          .addObject()
          .put(column, rate.name())
          .put("messages_per_s", tenth(rate.messages()))
          .put("bytes_per_s", tenth(rate.bytes()));
    }
  }

  private static String tenths(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static double tenth(double value) {
    return Math.rint(value * 10) / 10;
  }
}
