package joshua.thought.reading;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import joshua.kernel.ResourceText;
import org.jspecify.annotations.Nullable;

/**
 * The words for the values of a MAD's arguments ("stale", "heartbeats"), from the optional file
 * {@code phrasings/values.txt} beside its class: a line {@code status STALE: stale, gone stale}; a
 * line {@code moments} allows a single point in time, a line {@code channels} a channel: {@code
 * mad.topic.news}. A word in capitals matches only in capitals. Immutable.
 */
public final class NamedValues {
  /** The prefix of channels; one that isn't a value is something else. */
  private static final String CHANNEL = "mad.";

  /** The line that says that a query takes a point in time. */
  private static final String MOMENTS = "moments";

  /** The line that says that a query takes a channel, and the argument that takes it. */
  private static final String CHANNELS = "channels";

  static final String CHANNEL_ARGUMENT = "channel";

  /** The only kind of channel that is a single channel. */
  private static final String BROADCAST = "mad.broadcast";

  /** A value and its argument. */
  record Named(String argument, String value) {
    /** The same as a channel, if it is one. */
    Named asChannel() {
      return value.equals(BROADCAST) ? new Named(CHANNEL_ARGUMENT, value) : this;
    }
  }

  private record Words(List<String> words, Named named) {}

  private final Map<String, List<Words>> byFirstWord = new LinkedHashMap<>();

  private final boolean takesMoments;
  private final boolean takesChannels;

  private NamedValues(List<String> lines) {
    boolean moments = false;
    boolean channels = false;
    for (String line : lines) {
      if (line.equals(MOMENTS)) {
        moments = true;
      } else if (line.equals(CHANNELS)) {
        channels = true;
      } else if (!line.isBlank() && !line.startsWith("#")) {
        int colon = line.indexOf(':');
        String[] name = line.substring(0, Math.max(0, colon)).split(" ", -1);
        if (name.length != 2) {
          throw new IllegalArgumentException("values.txt has a line " + line);
        }
        for (String words : line.substring(colon + 1).split(",", -1)) {
          add(List.of(words.strip().split(" +")), new Named(name[0], name[1]));
        }
      }
    }
    takesMoments = moments;
    takesChannels = channels;
  }

  /** Whether a single point in time, "at 14:05", is possible. */
  boolean takesMoments() {
    return takesMoments;
  }

  private void add(List<String> words, Named named) {
    byFirstWord
        .computeIfAbsent(words.getFirst().toLowerCase(Locale.ROOT), first -> new ArrayList<>())
        .add(new Words(words, named));
  }

  static NamedValues none() {
    return new NamedValues(List.of());
  }

  static NamedValues beside(Class<?> mad) {
    return ResourceText.beside(mad, "phrasings/values.txt")
        .map(text -> new NamedValues(text.lines().toList()))
        .orElseGet(NamedValues::none);
  }

  /** The participants whose names aren't words for a value: no client may hijack "stale". */
  Set<String> others(Set<String> participants) {
    return participants.stream()
        .filter(each -> !byFirstWord.containsKey(each.toLowerCase(Locale.ROOT)))
        .collect(Collectors.toSet());
  }

  /**
   * The values that a question names; claims no token except the channel's. Of overlapping words
   * the longest count.
   */
  Set<Named> in(TokenizedQuestion tokenizedQuestion, List<String> unreadable) {
    Set<Named> found = new LinkedHashSet<>();
    for (int i = 0; i < tokenizedQuestion.size(); i++) {
      Words words = at(tokenizedQuestion, i);
      if (words != null) {
        if (StatusRules.isDenied(tokenizedQuestion, i)) {
          unreadable.add("not " + words.named().value());
        }
        found.add(words.named());
        i += words.words().size() - 1;
      } else if (!byFirstWord.isEmpty() && tokenizedQuestion.at(i).text().startsWith(CHANNEL)) {
        if (takesChannels) {
          found.add(new Named(CHANNEL_ARGUMENT, tokenizedQuestion.at(i).text()));
          tokenizedQuestion.take(i, i + 1, TokenizedQuestion.Slot.CHANNEL);
        } else {
          unreadable.add(tokenizedQuestion.at(i).text());
        }
      }
    }
    return found;
  }

  private @Nullable Words at(TokenizedQuestion tokenizedQuestion, int index) {
    Words longest = null;
    for (Words each : byFirstWord.getOrDefault(tokenizedQuestion.at(index).text(), List.of())) {
      if ((longest == null || each.words().size() > longest.words().size())
          && stands(each.words(), tokenizedQuestion, index)) {
        longest = each;
      }
    }
    return longest;
  }

  private static boolean stands(
      List<String> words, TokenizedQuestion tokenizedQuestion, int index) {
    for (int i = 0; i < words.size(); i++) {
      String lower = words.get(i).toLowerCase(Locale.ROOT);
      boolean capitals = !lower.equals(words.get(i));
      if (!tokenizedQuestion.has(index + i, lower)
          || (capitals && !tokenizedQuestion.at(index + i).capitals())) {
        return false;
      }
    }
    return true;
  }
}
