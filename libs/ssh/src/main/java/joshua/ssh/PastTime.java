package joshua.ssh;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import joshua.kernel.Timestamps;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A picocli converter of times in the past: {@code 10m} (ago; also s, h, d), {@code 14:05} (the
 * last one, in UTC), or a date-time, which is what it returns.
 */
public final class PastTime implements ITypeConverter<String> {
  /** For the description of an option. */
  public static final String FORM = "10m (ago), 14:05 (UTC), or a date-time";

  @Override
  public String convert(String text) {
    Instant time = read(text, Instant.now());
    if (time == null) {
      throw new TypeConversionException("'%s' is no time: %s".formatted(text, FORM));
    }
    return Timestamps.format(time);
  }

  static @Nullable Instant read(String text, Instant now) {
    if (text.matches("\\d{1,5}[smhd]")) {
      return now.minus(Duration.parse((text.endsWith("d") ? "P" : "PT") + text));
    }
    if (text.matches("([01]\\d|2[0-3]):[0-5]\\d")) {
      ZonedDateTime today = now.atZone(ZoneOffset.UTC).with(LocalTime.parse(text));
      return (today.toInstant().isAfter(now) ? today.minusDays(1) : today).toInstant();
    }
    return Timestamps.parse(text);
  }
}
