package joshua.app.doctor;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The numbers among what a Redis reports about itself.
 *
 * @param told by the names of INFO and CONFIG GET
 */
record RedisFigures(Map<String, String> told) {
  private static final Pattern PUBSUB_LIMITS = Pattern.compile("pubsub (\\d{1,18}) (\\d{1,18})");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

  Optional<Integer> majorVersion() {
    return Optional.ofNullable(told.get("redis_version"))
        .map(version -> version.split("\\.", 2)[0])
        .filter(major -> NUMBER.matcher(major).matches())
        .map(Integer::valueOf);
  }

  /** The most that may wait for a subscriber; 0: as much as there is memory. */
  Optional<Long> publishedBuffer() {
    Matcher limits = PUBSUB_LIMITS.matcher(told.getOrDefault("client-output-buffer-limit", ""));
    return limits.find() ? Optional.of(Long.valueOf(limits.group(1))) : Optional.empty();
  }

  Optional<Integer> freeConnections() {
    return number("maxclients").flatMap(most -> number("connected_clients").map(now -> most - now));
  }

  private Optional<Integer> number(String name) {
    return Optional.ofNullable(told.get(name))
        .filter(text -> NUMBER.matcher(text).matches())
        .map(Integer::valueOf);
  }
}
