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
 * Reads prompts without a model (+FD-11): exact commands, and plain words where every one of them
 * is accounted for: as filler, as the value of an argument, or by one query's phrasing. Whatever
 * has another word in it is passed on, so that it can't swallow work.
 */
public final class Router {
  private static final int MOST_WORDS = 16;

  /** In characters; to look at more would take long. */
  private static final int LONGEST_PROMPT = 2_000;

  private static final int SUGGESTIONS = 3;
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

  /** Other words for those who take part; phrasings have {@code participants} alone. */
  private static final Set<String> PARTICIPANTS = words("mads agents clients services members");

  private static final Set<String> PARTICIPANT = words("mad agent client member");
  private static final Set<String> TASKS = words("task tasks job jobs");

  /** Of a query whose rows come newest first. */
  private static final Set<String> NEWEST = words("last latest newest recent");

  private static final Set<String> ONE =
      words("task job question failure error message loss change alarm event incident gap");
  private static final Set<String> OWN = words("my mine i me");
  private static final Set<String> ASKING_LEAVE = words("can could may should must do");
  private static final Set<String> ASKED_FOR = words("of by from for");

  /** "Have" where it says what somebody has: a word that phrasings may know as {@code own}. */
  private static final Pattern OWNING =
      Pattern.compile(
          "(?i)(?<!\\bwe )((?<=\\bd(o|oes|id) \\S{1,64} )have\\b"
              + "|\\bha(ve|s|d)(?=( i)?\\W*$| (the )?(most|more|fewest)\\b))");

  /** Asks for something to be done, or whether something is so of all: no rows answer that. */
  private static final Pattern OTHER =
      Pattern.compile(
          "(?i)(do|have|make|need|want|look|i (need|want|would|like|wish))\\b.*"
              + "|(?=.*\\b(task|job)s?\\b)(did|are|is|were|has) .*\\b(all|most|every)\\b.*");

  private static final Pattern CHANNEL = Pattern.compile("mad[.][a-z0-9._:-]+");

  /** Whose tasks: a name behind "of" or "by", or before "tasks". */
  private static final String NAME = "requester";

  /** A name that stands anywhere; queries that know no requester take any name for it. */
  private static final String OTHER_NAME = "participant";

  /** Who is sent something: a name behind "to". */
  private static final String RECIPIENT = "recipient";

  private static final Set<String> SENDING =
      words(
          "send sends sent sending talk talks talking write writes wrote writing message messages speak speaks");

  private final List<NamedQuery> queries;
  private final Predicate<String> isKnownName;
  private final Access access;
  private final Map<String, Map.Entry<String, String>> values = new HashMap<>();

  /** Whether it is all about participants: a name is one wherever it stands. */
  private final boolean namesAnywhere;

  private final InstantSource time;

  /** A router that takes for names those that somebody known bears. */
  public Router(
      List<NamedQuery> queries, Predicate<String> isKnownName, Access access, InstantSource time) {
    this.queries = queries;
    queries.forEach(query -> query.words().forEach(values::putIfAbsent));
    this.namesAnywhere = queries.stream().anyMatch(query -> query.argument(OTHER_NAME).isPresent());
    this.isKnownName = isKnownName;
    this.access = access;
    this.time = time;
  }

  /** The value of an argument, and the word that stands for it. */
  private record Said(String value, String word) {}

  /**
   * What was found in a prompt.
   *
   * @param words that are no value
   * @param has what a phrasing may need besides: {@code <argument>} of each value, {@code <asking>}
   */
  private record Found(Map<String, Said> values, Set<String> words, Set<String> has) {}

  /** Reads a prompt, in which "my" is the asker's. */
  public Reading read(String prompt, String asker) {
    List<String> given = prompt.length() > LONGEST_PROMPT ? List.of() : wordsOf(prompt);
    String first = given.isEmpty() ? "" : given.getFirst().toLowerCase(Locale.ROOT);
    boolean isOther = OTHER.matcher(String.join(" ", given)).matches();
    if (given.isEmpty() || given.size() > MOST_WORDS || isOther) {
      return unread(given);
    }
    if (given.size() == 1 && (first.equals("help") || first.equals("commands"))) {
      return new Reading.Help();
    }
    return command(first, given.subList(1, given.size()), asker)
        .or(() -> plain(given, asker))
        .orElseGet(() -> unread(given));
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
    for (String word : text.split("\\s+", MOST_WORDS + 2)) {
      String bare = word.contains("=") ? word : EDGES.matcher(word).replaceAll("");
      if (HALF_OF_DAY.matcher(bare).matches() && HOUR.matcher(last(words)).matches()) {
        words.add(words.removeLast() + bare.replace(".", "")); // 1 p.m.
      } else if (!bare.isEmpty()) {
        words.add(bare);
      }
    }
    return words;
  }

  /** A query by its name, with {@code argument=value} pairs behind it. */
  private Optional<Reading> command(String name, List<String> pairs, String asker) {
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
        .map(query -> ask(query, values).orElse(new Reading.Unread(List.of(query))));
  }

  private static Optional<Reading> ask(NamedQuery query, Map<String, String> values) {
    ObjectNode given = Json.object();
    values.forEach((name, value) -> given.set(name, TextNode.valueOf(value)));
    ObjectNode plain = Json.object();
    return query.read(given, plain).isPresent()
        ? Optional.empty()
        : Optional.of(new Reading.Ask(query, plain));
  }

  private Optional<Reading> plain(List<String> given, String asker) {
    Found found = find(given, asker);
    if (found == null) {
      return Optional.empty();
    }
    return queries.stream()
        .flatMap(query -> query.phrasings().stream().map(each -> match(query, each, found)))
        .flatMap(Optional::stream)
        // The first of those that account for most.
        .reduce((one, other) -> one.weight() >= other.weight() ? one : other)
        .map(Match::reading);
  }

  private record Match(Reading reading, long weight) {}

  private static Optional<Match> match(NamedQuery query, Phrasing phrasing, Found found) {
    Map<String, String> values = new LinkedHashMap<>();
    Set<String> words = new LinkedHashSet<>(found.words());
    found
        .values()
        .forEach((name, said) -> {
          boolean isUnknown = query.argument(name).isEmpty();
          if (isUnknown && name.equals(NAME) && query.argument(OTHER_NAME).isPresent()) {
            values.put(OTHER_NAME, said.value());
          } else if (isUnknown && phrasing.knows(said.word())) {
            words.add(said.word()); // "Is it done" asks how a task is, and not for those that are.
          } else {
            values.put(name, said.value());
          }
        });
    boolean wantsNewest = words.stream().anyMatch(NEWEST::contains) && query.isNewestFirst();
    Predicate<String> isExtra = word -> isFiller(word) || (wantsNewest && NEWEST.contains(word));
    if (!means(phrasing, words, found.has(), isExtra)) {
      return Optional.empty();
    }
    phrasing.arguments().forEach(values::putIfAbsent);
    long known = words.stream().filter(phrasing::knows).count();
    return ask(query, values).map(ask -> new Match(ask, known + 2L * phrasing.needed().size()));
  }

  private static boolean means(
      Phrasing phrasing, Set<String> words, Set<String> has, Predicate<String> isExtra) {
    return words.stream().allMatch(word -> phrasing.knows(word) || isExtra.test(word))
        && phrasing.needed().stream().allMatch(group -> hasAny(group, words) || hasAny(group, has));
  }

  private static boolean isFiller(String word) {
    return FILLERS.contains(word) || ASKING.contains(word);
  }

  /** Sorts out words; null where two of them say different things of one argument. */
  private @Nullable Found find(List<String> given, String asker) {
    List<String> words = given.stream().map(Router::plainWord).toList();
    TimePhrase times = new TimePhrase(time.instant());
    Map<String, Said> values = new LinkedHashMap<>();
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
        Said before = values.put(each.getKey(), new Said(each.getValue(), word));
        has.add("<%s>".formatted(each.getKey().equals(OTHER_NAME) ? NAME : each.getKey()));
        if (before != null && !before.value().equals(each.getValue())) {
          return null;
        }
      }
    }
    return values.containsKey(NAME) && values.containsKey(OTHER_NAME)
        ? null
        : new Found(values, rest, has);
  }

  /** {@code what's} is {@code what}, and agents are participants. */
  private static String plainWord(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    String bare = lower.endsWith("'s") ? lower.substring(0, lower.length() - 2) : lower;
    if (PARTICIPANTS.contains(lower)) {
      return "participants";
    }
    return PARTICIPANT.contains(lower) ? "participant" : isFiller(bare) ? bare : lower;
  }

  /** What a word stands for; a slot without arguments where it is none. */
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
      return slot(isSentTo(words, at) ? RECIPIENT : NAME, asker, 1);
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
      return slot(NAME, asKnown(given.get(at + 1)), 2);
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
    return slot(byTasks ? NAME : isSentTo ? RECIPIENT : OTHER_NAME, owner, 1);
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

  private Reading unread(List<String> given) {
    Set<String> words = new LinkedHashSet<>();
    given.stream().map(Router::plainWord).filter(word -> !isFiller(word)).forEach(words::add);
    return new Reading.Unread(
        queries.stream()
            .sorted(Comparator.comparingLong((NamedQuery query) -> -nearness(query, words)))
            .limit(SUGGESTIONS)
            .toList());
  }

  /** How much of a prompt a query is about: what its best phrasing needs counts most. */
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
