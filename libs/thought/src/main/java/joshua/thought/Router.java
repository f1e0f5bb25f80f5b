package joshua.thought;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import joshua.kernel.Json;
import joshua.network.Access;
import joshua.state.query.NamedQuery;
import joshua.state.query.Phrasing;
import joshua.thought.TimePhrase.Slot;
import org.jspecify.annotations.Nullable;

/**
 * The parser of prompts without a model (+FD-11): of exact commands, and of plain words if each of
 * them is a filler, the value of an argument, or part of one query's phrasing. A prompt with any
 * other word is left to the model, so that work is never mistaken for a query.
 */
public final class Router {
  private static final int MAX_WORDS = 16;

  /** Longer prompts would take long to parse. */
  private static final int MAX_PROMPT_LENGTH = 2_000;

  private static final int MAX_SUGGESTIONS = 3;
  private static final Pattern ID = Pattern.compile("(?=[a-f-]*[0-9])[0-9a-f]{8}[0-9a-f-]{0,28}");
  private static final Pattern HOUR = Pattern.compile("[0-9]{1,2}(:[0-9]{2})?");
  private static final Pattern HALF_OF_DAY = Pattern.compile("(?i)[ap][.]?m");
  private static final Pattern EDGES = Pattern.compile("^[\"'`(]+|[\"'`)?!.,;:]+$");
  private static final Set<String> ASKING =
      words(
          "what which show list give any anything all who whose count many see display"
              + " get find check print view");
  private static final Set<String> FILLERS =
      words(
          "a about an and are at be been by can could currently did do does during every exactly far for"
              + " from had has have hello hey hi how i in is it just know let like look"
              + " made me moment most much need new now of ok okay on or our out over"
              + " please present recently right should so some still tell thanks that the their"
              + " there these they things this those to top under up us want was way we were when"
              + " with within would yet you your");

  private static final Set<String> GIVING = words("give show tell get send");

  /** Synonyms; phrasings have {@code participants} only. */
  private static final Set<String> PARTICIPANTS = words("mads agents clients services members");

  private static final Set<String> PARTICIPANT = words("mad agent client member");
  private static final Set<String> TASKS = words("task tasks job jobs");

  /** For queries whose rows come newest first. */
  private static final Set<String> NEWEST = words("last latest newest recent");

  private static final Set<String> ONE =
      words("task job question failure error message loss change alarm event incident gap");
  private static final Set<String> OWN = words("my mine i me");
  private static final Set<String> ASKING_LEAVE = words("can could may should must do");
  private static final Set<String> ASKED_FOR = words("of by from for");

  /** "Have" in the sense of possession, which phrasings may have as {@code own}. */
  private static final Pattern OWNING =
      Pattern.compile(
          "(?i)(?<!\\bwe )((?<=\\bd(o|oes|id) \\S{1,64} )have\\b"
              + "|\\bha(ve|s|d)(?=( i)?\\W*$| (the )?(most|more|fewest)\\b))");

  /** Prompts that ask for work, or whether something holds for all: no rows answer that. */
  private static final Pattern OTHER =
      Pattern.compile(
          "(?i)(do|have|make|need|want|look|i (need|want|would|like|wish))\\b.*"
              + "|(?=.*\\b(task|job)s?\\b)(did|are|is|were|has) .*\\b(all|most|every)\\b.*");

  private static final Pattern CHANNEL = Pattern.compile("mad[.][a-z0-9._:-]+");

  /** The requester of tasks: a name after "of" or "by", or before "tasks". */
  private static final String REQUESTER = "requester";

  /** A name anywhere; in queries without a requester, any name. */
  private static final String ANY_NAME = "participant";

  /** The recipient: a name after "to". */
  private static final String RECIPIENT = "recipient";

  private static final Set<String> SENDING =
      words(
          "send sends sent sending talk talks talking write writes wrote writing message messages speak speaks");

  private final List<NamedQuery> queries;
  private final Predicate<String> isKnownName;
  private final Access access;
  private final Map<String, Map.Entry<String, String>> values = new HashMap<>();

  /** Whether names can stand anywhere, since queries are about participants. */
  private final boolean namesAnywhere;

  private final InstantSource time;

  /** A router that recognizes the names for which {@code isKnownName} is true. */
  public Router(
      List<NamedQuery> queries, Predicate<String> isKnownName, Access access, InstantSource time) {
    this.queries = queries;
    queries.forEach(query -> query.words().forEach(values::putIfAbsent));
    this.namesAnywhere = queries.stream().anyMatch(query -> query.argument(ANY_NAME).isPresent());
    this.isKnownName = isKnownName;
    this.access = access;
    this.time = time;
  }

  /** The value of an argument, and its word in the prompt. */
  private record Value(String value, String word) {}

  /**
   * The words of a prompt, sorted out.
   *
   * @param words that aren't values
   * @param has placeholders for phrasings: {@code <argument>} of each value, {@code <asking>}
   */
  private record Words(Map<String, Value> values, Set<String> words, Set<String> has) {}

  /** Parses a prompt, in which "my" is the asker's. */
  public ParsedPrompt parse(String prompt, String asker) {
    List<String> given = prompt.length() > MAX_PROMPT_LENGTH ? List.of() : wordsOf(prompt);
    String first = given.isEmpty() ? "" : given.getFirst().toLowerCase(Locale.ROOT);
    boolean isOther = OTHER.matcher(String.join(" ", given)).matches();
    if (given.isEmpty() || given.size() > MAX_WORDS || isOther) {
      return unrecognized(given);
    }
    if (given.size() == 1 && (first.equals("help") || first.equals("commands"))) {
      return new ParsedPrompt.Help();
    }
    return command(first, given.subList(1, given.size()), asker)
        .or(() -> matchPhrasings(given, asker))
        .orElseGet(() -> unrecognized(given));
  }

  private static Set<String> words(String all) {
    return Set.of(all.split(" ", -1));
  }

  private static String last(List<String> words) {
    return words.isEmpty() ? "" : words.getLast();
  }

  private static List<String> wordsOf(String prompt) {
    List<String> words = new ArrayList<>();
    String text = OWNING.matcher(prompt.strip().replace('’', '\'')).replaceAll("own");
    for (String word : text.split("\\s+", MAX_WORDS + 2)) {
      String bare = word.contains("=") ? word : EDGES.matcher(word).replaceAll("");
      if (HALF_OF_DAY.matcher(bare).matches() && HOUR.matcher(last(words)).matches()) {
        words.add(words.removeLast() + bare.replace(".", "")); // 1 p.m.
      } else if (!bare.isEmpty()) {
        words.add(bare);
      }
    }
    return words;
  }

  /** Parses a query's name with {@code argument=value} pairs. */
  private Optional<ParsedPrompt> command(String name, List<String> pairs, String asker) {
    TimePhrase times = new TimePhrase(time.instant());
    Map<String, String> values = new LinkedHashMap<>();
    for (String pair : pairs) {
      int equals = pair.indexOf('=');
      if (equals < 1) {
        return Optional.empty();
      }
      String argument = pair.substring(0, equals).toLowerCase(Locale.ROOT);
      String value = pair.substring(equals + 1);
      Optional<String> time =
          times.at(List.of(argument, value), 0).map(slot -> slot.arguments().get(argument));
      values.put(argument, value.equals("me") ? asker : time.orElse(value));
    }
    return queries.stream()
        .filter(query -> query.name().equals(name))
        .findFirst()
        .map(query -> ask(query, values).orElse(new ParsedPrompt.Unrecognized(List.of(query))));
  }

  private static Optional<ParsedPrompt> ask(NamedQuery query, Map<String, String> values) {
    ObjectNode given = Json.object();
    values.forEach((name, value) -> given.set(name, TextNode.valueOf(value)));
    ObjectNode plain = Json.object();
    return query.read(given, plain).isPresent()
        ? Optional.empty()
        : Optional.of(new ParsedPrompt.Ask(query, plain));
  }

  private Optional<ParsedPrompt> matchPhrasings(List<String> given, String asker) {
    Words found = find(given, asker);
    if (found == null) {
      return Optional.empty();
    }
    return queries.stream()
        .flatMap(query -> query.phrasings().stream().map(each -> match(query, each, found)))
        .flatMap(Optional::stream)
        // The first of the best matches.
        .reduce((one, other) -> one.weight() >= other.weight() ? one : other)
        .map(Match::prompt);
  }

  private record Match(ParsedPrompt prompt, long weight) {}

  private static Optional<Match> match(NamedQuery query, Phrasing phrasing, Words found) {
    Map<String, String> values = new LinkedHashMap<>();
    Set<String> words = new LinkedHashSet<>(found.words());
    found
        .values()
        .forEach((name, said) -> {
          boolean isUnknown = query.argument(name).isEmpty();
          if (isUnknown && name.equals(REQUESTER) && query.argument(ANY_NAME).isPresent()) {
            values.put(ANY_NAME, said.value());
          } else if (isUnknown && phrasing.knows(said.word())) {
            words.add(said.word()); // "Is it done" asks for a status, not for tasks that are done.
          } else {
            values.put(name, said.value());
          }
        });
    boolean wantsNewest = words.stream().anyMatch(NEWEST::contains) && query.isNewestFirst();
    Predicate<String> isExtra = word -> isFiller(word) || (wantsNewest && NEWEST.contains(word));
    if (!matches(phrasing, words, found.has(), isExtra)) {
      return Optional.empty();
    }
    phrasing.arguments().forEach(values::putIfAbsent);
    long known = words.stream().filter(phrasing::knows).count();
    return ask(query, values).map(ask -> new Match(ask, known + 2L * phrasing.needed().size()));
  }

  private static boolean matches(
      Phrasing phrasing, Set<String> words, Set<String> has, Predicate<String> isExtra) {
    return words.stream().allMatch(word -> phrasing.knows(word) || isExtra.test(word))
        && phrasing.needed().stream().allMatch(group -> hasAny(group, words) || hasAny(group, has));
  }

  private static boolean isFiller(String word) {
    return FILLERS.contains(word) || ASKING.contains(word);
  }

  /** Sorts out words; null where two of them contradict each other. */
  private @Nullable Words find(List<String> given, String asker) {
    List<String> words = given.stream().map(Router::plainWord).toList();
    TimePhrase times = new TimePhrase(time.instant());
    Map<String, Value> values = new LinkedHashMap<>();
    Set<String> rest = new LinkedHashSet<>();
    Set<String> has = new LinkedHashSet<>();
    Slot slot;
    for (int at = 0; at < words.size(); at += slot.words()) {
      int position = at;
      String word = words.get(at);
      if (word.equals("get") && !values.isEmpty()) {
        word = "gets"; // "how many did bob get" isn't "get the messages of bob"
      }
      if (ASKING.contains(word)) {
        has.add("<asking>");
      }
      slot = times.at(words, at).orElseGet(() -> value(given, words, position, asker));
      if (slot.arguments().isEmpty() || NEWEST.contains(word)) {
        rest.add(word);
      }
      for (Map.Entry<String, String> each : slot.arguments().entrySet()) {
        Value before = values.put(each.getKey(), new Value(each.getValue(), word));
        has.add("<%s>".formatted(each.getKey().equals(ANY_NAME) ? REQUESTER : each.getKey()));
        if (before != null && !before.value().equals(each.getValue())) {
          return null;
        }
      }
    }
    return values.containsKey(REQUESTER) && values.containsKey(ANY_NAME)
        ? null
        : new Words(values, rest, has);
  }

  /** Replaces {@code what's} by {@code what}, and synonyms by participants. */
  private static String plainWord(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    String bare = lower.endsWith("'s") ? lower.substring(0, lower.length() - 2) : lower;
    if (PARTICIPANTS.contains(lower)) {
      return "participants";
    }
    return PARTICIPANT.contains(lower) ? "participant" : isFiller(bare) ? bare : lower;
  }

  /** The argument that a word stands for; a slot without arguments where there is none. */
  private Slot value(List<String> given, List<String> words, int at, String asker) {
    String word = words.get(at);
    String before = TimePhrase.word(words, at - 1);
    String next = TimePhrase.word(words, at + 1);
    boolean isFormula =
        (word.equals("i")
                && !next.equals("own")
                && (ASKING_LEAVE.contains(before) || ASKING_LEAVE.contains(next)))
            || (word.equals("me") && (GIVING.contains(before) || before.equals("let")));
    if (OWN.contains(word) && !isFormula) {
      return slot(isSentTo(words, at) ? RECIPIENT : REQUESTER, asker, 1);
    }
    int number = TimePhrase.number(next);
    if (NEWEST.contains(word) && (number > 0 || ONE.contains(next))) {
      return slot("limit", Integer.toString(Math.max(1, number)), number > 0 ? 2 : 1);
    }
    Map.Entry<String, String> said = values.get(word);
    if (said != null) {
      return slot(said.getKey(), said.getValue(), 1);
    }
    if (CHANNEL.matcher(word).matches()) {
      return slot("channel", given.get(at), 1);
    }
    if (ID.matcher(word).matches()) {
      return slot("id", word, 1);
    }
    if (TimePhrase.number(word) > 0) {
      return slot("limit", Integer.toString(TimePhrase.number(word)), 1);
    }
    if (ASKED_FOR.contains(word)
        && !next.isEmpty()
        && isKnownName.test(asKnown(given.get(at + 1)))) {
      return slot(REQUESTER, asKnown(given.get(at + 1)), 2);
    }
    String name = given.get(at);
    boolean owns = name.endsWith("'s");
    String owner = asKnown(owns ? name.substring(0, name.length() - 2) : name);
    boolean byTasks = owns || TASKS.contains(next) || TASKS.contains(before);
    boolean isSentTo = isSentTo(words, at);
    boolean isName =
        (byTasks || (namesAnywhere && !isWord(word)))
            && !GIVING.contains(before)
            && (isSentTo || isKnownName.test(owner));
    if (!isName) {
      return new Slot(Map.of(), 1);
    }
    return slot(byTasks ? REQUESTER : isSentTo ? RECIPIENT : ANY_NAME, owner, 1);
  }

  /** A name, in small letters where it is known so alone. */
  private String asKnown(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return !isKnownName.test(name) && isKnownName.test(lower) ? lower : name;
  }

  private static boolean isSentTo(List<String> words, int at) {
    return TimePhrase.word(words, at - 1).equals("to")
        && words.subList(0, at).stream().anyMatch(SENDING::contains);
  }

  private boolean isWord(String word) {
    return !access.isService(word)
        && (isFiller(word)
            || queries.stream()
                .flatMap(query -> query.phrasings().stream())
                .anyMatch(phrasing -> phrasing.knows(word)));
  }

  private static Slot slot(String argument, String value, int words) {
    return new Slot(Map.of(argument, value), words);
  }

  private ParsedPrompt unrecognized(List<String> given) {
    Set<String> words = new LinkedHashSet<>();
    given.stream().map(Router::plainWord).filter(word -> !isFiller(word)).forEach(words::add);
    return new ParsedPrompt.Unrecognized(
        queries.stream()
            .sorted(Comparator.comparingLong((NamedQuery query) -> -nearness(query, words)))
            .limit(MAX_SUGGESTIONS)
            .toList());
  }

  /** The similarity of a query to a prompt: words that a phrasing needs count most. */
  private static long nearness(NamedQuery query, Set<String> words) {
    long named =
        words.stream().filter(word -> word.length() > 3 && query.name().startsWith(word)).count();
    return 5 * named
        + query.phrasings().stream()
            .mapToLong(phrasing ->
                3 * phrasing.needed().stream().filter(group -> hasAny(group, words)).count()
                    + words.stream().filter(phrasing::knows).count())
            .max()
            .orElse(0);
  }

  private static boolean hasAny(Set<String> group, Set<String> words) {
    return words.stream().anyMatch(group::contains);
  }
}
