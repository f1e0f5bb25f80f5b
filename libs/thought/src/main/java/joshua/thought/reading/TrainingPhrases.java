package joshua.thought.reading;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import joshua.kernel.ResourceText;

/**
 * A MAD's training phrases from its resources: a file for each query, for {@code none} and for
 * {@code act}. A line is a phrase; {@code (a|b)} stands for each of the choices, {@code @name} for
 * a participant; {@code #} begins a comment. The first lines may have {@code reads as:}, the
 * reading as the answer states it, {@code for example:}, the question suggested instead of one that
 * isn't understood, and {@code holds:}, the states, values or names that the query itself implies.
 */
public final class TrainingPhrases {
  public static final String NONE = "none";
  public static final String ACT = "act";

  static final int MAX_VARIANTS = 24;

  private static final Pattern CHOICE = Pattern.compile("\\(([^()]*\\|[^()]*)\\)");
  private static final Pattern NAME = Pattern.compile("@([A-Za-z0-9-]+)");

  /**
   * A training phrase.
   *
   * @param line the number of the line it came from; variants share it
   */
  public record Phrasing(String wanted, String text, int line) {}

  private record Chapter(
      String readAs, String example, Set<String> held, List<Phrasing> phrasings) {}

  private final Map<String, Chapter> chapters = new LinkedHashMap<>();
  private final Set<String> participants = new LinkedHashSet<>();
  private final NamedValues values;

  private TrainingPhrases(NamedValues values) {
    this.values = values;
  }

  /**
   * Reads a file for each of the queries and for {@code none} and {@code act}, from {@code
   * phrasings/} beside a class of the MAD.
   */
  public static TrainingPhrases beside(Class<?> mad, List<String> queries) {
    TrainingPhrases book = new TrainingPhrases(NamedValues.beside(mad));
    Stream.concat(queries.stream(), Stream.of(NONE, ACT))
        .forEach(each -> book.read(each, mad, "phrasings/" + each + ".txt"));
    return book;
  }

  private void read(String name, Class<?> mad, String path) {
    String text =
        ResourceText.beside(mad, path)
            .orElseThrow(() ->
                new IllegalArgumentException(mad.getName() + " has no " + path + " beside it"));
    chapters.put(name, chapter(name, text.lines().toList()));
  }

  private Chapter chapter(String name, List<String> lines) {
    String readAs = name;
    Set<String> held = Set.of();
    String example = "";
    List<Phrasing> phrasings = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.startsWith("reads as:")) {
        readAs = line.substring("reads as:".length()).strip();
      } else if (line.startsWith("for example:")) {
        example = line.substring("for example:".length()).strip();
      } else if (line.startsWith("holds:")) {
        held = Set.of(line.substring("holds:".length()).strip().split(" +"));
      } else if (!line.isEmpty() && !line.startsWith("#")) {
        for (String text : variants(line)) {
          phrasings.add(new Phrasing(name, named(text), i + 1));
        }
      }
    }
    return new Chapter(readAs, example, held, List.copyOf(phrasings));
  }

  private String named(String text) {
    Matcher matcher = NAME.matcher(text);
    matcher.results().forEach(each -> participants.add(each.group(1)));
    return matcher.replaceAll("$1");
  }

  private static List<String> variants(String line) {
    List<String> all = new ArrayList<>(List.of(line));
    for (int i = 0; i < all.size(); i++) {
      Matcher matcher = CHOICE.matcher(all.get(i));
      while (matcher.find()) {
        String found = all.remove(i);
        for (String choice : matcher.group(1).split("\\|", -1)) {
          all.add(
              (found.substring(0, matcher.start()) + choice + found.substring(matcher.end()))
                  .replaceAll(" +", " ")
                  .strip());
        }
        if (all.size() > MAX_VARIANTS) {
          throw new IllegalArgumentException("more than " + MAX_VARIANTS + " of: " + line);
        }
        matcher = CHOICE.matcher(all.get(i));
      }
    }
    return all;
  }

  /** The classes in a fixed order. */
  public List<String> classes() {
    return List.copyOf(chapters.keySet());
  }

  String readAs(String name) {
    return chapter(name).readAs();
  }

  /** The example question to suggest; empty if there is none. */
  Optional<String> example(String name) {
    return Optional.of(chapter(name).example()).filter(text -> !text.isEmpty());
  }

  Set<String> held(String name) {
    return chapter(name).held();
  }

  private Chapter chapter(String name) {
    Chapter chapter = chapters.get(name);
    if (chapter == null) {
      throw new IllegalArgumentException("no phrasings for " + name);
    }
    return chapter;
  }

  /** All phrases of all files. */
  public List<Phrasing> phrasings() {
    return chapters.values().stream().flatMap(each -> each.phrasings().stream()).toList();
  }

  /** The words for values of arguments. */
  public NamedValues values() {
    return values;
  }

  /** The participants named in the phrases. */
  public Set<String> participants() {
    return Set.copyOf(participants);
  }
}
