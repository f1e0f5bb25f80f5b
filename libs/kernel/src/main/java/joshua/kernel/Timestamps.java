package joshua.kernel;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Timestamps (wire contract §1): written in UTC with milliseconds, read in any form of RFC 3339,
 * since the libraries of other languages write it differently.
 */
public final class Timestamps {
  public static final String RULE =
      "must be an RFC 3339 date-time, such as 2026-01-31T23:59:59.000Z";

  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
  private static final Pattern RFC_3339 =
      Pattern.compile(
          "([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([0-9]{2}:[0-9]{2}):([0-9]{2})([.][0-9]+)?"
              + "([Zz]|[+-][0-9]{2}:?[0-9]{2})?");

  /** A point and nanoseconds; a longer fraction is cut. */
  private static final int MAX_FRACTION_LENGTH = 10;

  private Timestamps() {}

  /** Writes {@code 2026-01-31T23:59:59.000Z}. */
  public static String format(Instant instant) {
    return FORMAT.format(instant);
  }

  /**
   * Reads any fraction and any offset; without an offset the time is taken as UTC. Null if it isn't
   * a time of RFC 3339.
   */
  public static @Nullable Instant parse(String text) {
    Matcher time = RFC_3339.matcher(text);
    if (!time.matches()) {
      return null;
    }
    // Java's clock has no leap second.
    String second = time.group(3).equals("60") ? "59" : time.group(3);
    String fraction = time.group(4) == null ? "" : time.group(4);
    String zone = time.group(5) == null ? "Z" : time.group(5).toUpperCase(Locale.ROOT);
    fraction = fraction.substring(0, Math.min(fraction.length(), MAX_FRACTION_LENGTH));
    try {
      Instant instant =
          LocalDateTime.parse(time.group(1) + "T" + time.group(2) + ":" + second + fraction)
              .toInstant(ZoneOffset.of(zone));
      int year =
          instant.atOffset(ZoneOffset.UTC).getYear(); // the offset may carry it out of 4 digits
      return year < 0 || year > 9999 ? null : instant;
    } catch (DateTimeException e) {
      return null;
    }
  }
}
