package joshua.kernel;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One user setting: its key ({@code grace-port}), default, unit, a sentence, and the reader of its
 * text. The environment name ({@code JOSHUA_GRACE_PORT}) and the flag ({@code --grace-port}) follow
 * from the key.
 *
 * @param defaultText the default as a user would write it; null if there is none
 * @param unit what the value is counted in or chosen from, for {@code joshua config}
 * @param secret whether the value must never be printed
 */
public record Setting<T>(
    String key,
    @Nullable String defaultText,
    String unit,
    String sentence,
    boolean secret,
    Reader<T> reader) {

  /** A parser of a setting's text. */
  @FunctionalInterface
  public interface Reader<T> {
    /**
     * Reads one value.
     *
     * @param base what a relative path is relative to: the working directory for flags and the
     *     environment, Joshua's own directory for defaults and the settings file
     * @throws IllegalArgumentException with the rule that the text breaks
     */
    T read(String text, Path base);
  }

  private static final List<String> BYTE_UNITS = List.of("", "KiB", "MiB", "GiB");

  public String environmentName() {
    return "JOSHUA_" + key.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  public String flag() {
    return "--" + key;
  }

  public static Setting<Integer> number(
      String key, int value, int min, int max, String unit, String sentence) {
    return new Setting<>(
        key,
        Integer.toString(value),
        unit,
        sentence,
        false,
        (text, base) -> integer(text, min, max));
  }

  /** A number that is computed when it isn't set. */
  public static Setting<Integer> numberOrReckoned(
      String key, int min, int max, String unit, String sentence) {
    return new Setting<>(key, null, unit, sentence, false, (text, base) -> integer(text, min, max));
  }

  public static Setting<Integer> port(String key, int value, String sentence) {
    return number(key, value, 0, 65_535, "TCP port, 0: any free one", sentence);
  }

  /** A number of bytes, without or with a unit: {@code 4194304}, {@code 4MiB}, {@code 4 MiB}. */
  public static Setting<Long> bytes(
      String key, @Nullable String value, long min, long max, String sentence) {
    return new Setting<>(
        key,
        value,
        "bytes, KiB, MiB or GiB",
        sentence,
        false,
        (text, base) -> byteCount(text, min, max));
  }

  public static Setting<String> text(
      String key, @Nullable String value, String unit, String sentence) {
    return new Setting<>(key, value, unit, sentence, false, (text, base) -> text);
  }

  public static Setting<String> secretText(String key, String unit, String sentence) {
    return new Setting<>(key, null, unit, sentence, true, (text, base) -> text);
  }

  public static Setting<Path> path(String key, @Nullable String value, String sentence) {
    return new Setting<>(
        key, value, "path", sentence, false, (text, base) -> base.resolve(text).normalize());
  }

  public static Setting<List<String>> list(String key, @Nullable String value, String sentence) {
    return new Setting<>(
        key,
        value,
        "comma-separated",
        sentence,
        false,
        (text, base) ->
            Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .toList());
  }

  public static <E extends Enum<E>> Setting<E> choice(
      String key, E value, Class<E> type, String sentence) {
    String names =
        String.join(", ", Arrays.stream(type.getEnumConstants()).map(Setting::lower).toList());
    return new Setting<>(
        key,
        lower(value),
        names,
        sentence,
        false,
        (text, base) ->
            Arrays.stream(type.getEnumConstants())
                .filter(constant -> lower(constant).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("must be one of " + names)));
  }

  /** The same setting without a default, under another key: a MAD's own variant. */
  public Setting<T> under(String otherKey, String otherSentence) {
    return new Setting<>(otherKey, null, unit, otherSentence, secret, reader);
  }

  /** Adds a narrower rule: {@code check} returns the rule that the value breaks, if any. */
  public Setting<T> checked(Function<T, Optional<String>> check) {
    return new Setting<>(
        key,
        defaultText,
        unit,
        sentence,
        secret,
        (text, base) -> {
          T value = reader.read(text, base);
          check
              .apply(value)
              .ifPresent(rule -> {
                throw new IllegalArgumentException(rule);
              });
          return value;
        });
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static int integer(String text, int min, int max) {
    try {
      int value = Integer.parseInt(text.replace("_", ""));
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Falls through: the same rule is broken by a non-number and by a number out of range.
    }
    throw new IllegalArgumentException("must be a whole number from %d to %d".formatted(min, max));
  }

  private static long byteCount(String text, long min, long max) {
    String compact = text.replace(" ", "").replace("_", "");
    for (int power = BYTE_UNITS.size() - 1; power >= 0; power--) {
      String unit = BYTE_UNITS.get(power);
      if (compact.endsWith(unit)) {
        try {
          long value =
              Math.multiplyExact(
                  Long.parseLong(compact.substring(0, compact.length() - unit.length())),
                  1L << (10 * power));
          if (value >= min && value <= max) {
            return value;
          }
        } catch (NumberFormatException | ArithmeticException e) {
          // Falls through: the rule below says it all.
        }
        break;
      }
    }
    throw new IllegalArgumentException(
        "must be a number of bytes from %d to %d, such as 65536 or 4MiB".formatted(min, max));
  }
}
