package joshua.thought.grounding;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.thought.Evidence;

/**
 * An index of what an answer's evidence supports: the numbers in its rows, the times in its rows
 * and arguments, the names and words in both.
 */
final class EvidenceIndex {
  /** How long after the full hour its bucket ends. */
  private static final Duration BUCKET = Duration.ofHours(1);

  private static final Pattern TIME =
      Pattern.compile("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?Z");
  private static final Pattern NUMBER = Pattern.compile("(?<![\\w.-])\\d+(?:\\.\\d+)?");
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]*");

  private final Set<BigDecimal> numbers = new HashSet<>();
  private final Set<Integer> portions = new HashSet<>();
  private final List<Instant> times = new ArrayList<>();
  private final Set<String> words = new HashSet<>();
  private final Set<String> values = new HashSet<>();

  EvidenceIndex(List<Evidence> evidence) {
    for (Evidence each : evidence) {
      keep(each.query());
      each.arguments()
          .properties()
          .forEach(argument -> {
            keep(argument.getKey());
            if (argument.getValue().isTextual()) {
              withoutTimes(argument.getValue().asText());
              words(argument.getValue().asText());
            } else if (argument.getValue().isInt()) {
              portions.add(argument.getValue().asInt());
            }
          });
      portions.add(each.rows().size());
      each.rows().forEach(this::take);
    }
  }

  private void take(JsonNode value) {
    switch (value.getNodeType()) {
      case OBJECT ->
          value
              .properties()
              .forEach(member -> {
                keep(member.getKey());
                take(member.getValue());
              });
      case ARRAY -> value.forEach(this::take);
      case NUMBER -> numbers.add(plain(value.decimalValue()));
      case STRING -> {
        String rest = withoutTimes(value.asText());
        NUMBER
            .matcher(rest)
            .results()
            .forEach(found -> numbers.add(plain(new BigDecimal(found.group()))));
        words(value.asText());
        values.add(value.asText().toLowerCase(Locale.ROOT));
      }
      case BOOLEAN, NULL, MISSING, BINARY, POJO -> {}
    }
  }

  /** Removes the times from a text: their digits aren't numbers. */
  private String withoutTimes(String text) {
    Matcher matcher = TIME.matcher(text);
    matcher
        .results()
        .forEach(found -> {
          try {
            Instant at =
                LocalDateTime.parse(found.group().substring(0, found.group().length() - 1))
                    .toInstant(ZoneOffset.UTC);
            times.add(at);
            if (at.getEpochSecond() % BUCKET.toSeconds() == 0) {
              times.add(at.plus(BUCKET));
            }
          } catch (DateTimeParseException e) {
            // Looks like a time, but isn't one, so it can't be checked.
          }
        });
    return matcher.replaceAll(" ");
  }

  private void words(String text) {
    keep(text);
    WORD.matcher(text).results().forEach(found -> keep(found.group()));
  }

  private void keep(String word) {
    words.add(word.toLowerCase(Locale.ROOT));
  }

  boolean number(BigDecimal number) {
    return numbers.contains(plain(number));
  }

  /** A count that was asked for or found: "the top 5". */
  boolean portion(BigDecimal number) {
    return portions.stream().anyMatch(each -> number.compareTo(BigDecimal.valueOf(each)) == 0);
  }

  boolean time(StatedTime statedTime) {
    return times.stream().anyMatch(statedTime::is);
  }

  boolean word(String name) {
    return words.contains(name.toLowerCase(Locale.ROOT));
  }

  /** Whether a row has exactly this value. */
  boolean value(String name) {
    return values.contains(name.toLowerCase(Locale.ROOT));
  }

  private static BigDecimal plain(BigDecimal number) {
    return number.signum() == 0 ? BigDecimal.ZERO : number.abs().stripTrailingZeros();
  }
}
