package joshua.state.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.SpellingSuggestion;
import joshua.kernel.Timestamps;
import joshua.state.Classpath;
import joshua.state.Database;
import org.jspecify.annotations.Nullable;

/**
 * A named query of a service's state, defined by one file: header lines that begin with {@code --}
 * have its meaning, arguments, words, phrasings and sentences; a SELECT follows. After a line
 * {@code -- sentence}, a second SELECT may compute the sentence for several rows, which it gets as
 * the JSON {@code :rows}. docs/extend.md describes each line.
 */
public final class NamedQuery {
  private static final Pattern ARGUMENT =
      Pattern.compile("argument (\\w+) ([\\w.|]+)(?: = (\\S+))?: (.+)");
  private static final Pattern PARAMETER = Pattern.compile("(?<![:\\w]):([a-z_]+)");
  private static final Pattern TIME_COLUMN = Pattern.compile("(.+_)?at");
  private static final String LIMIT = "limit";

  /** Rows that sentences cover; a limit shows the first of them. */
  private static final long MAX_ROWS = 10_000;

  private static final String READS_ALL = "reads_all";
  private static final String SENTENCE = "\n-- sentence\n";
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{(\\w+)(?: (\\w+))?}");

  private final String name;
  private final String meaning;
  private final Map<String, QueryArgument> arguments = new LinkedHashMap<>();
  private final List<Phrasing> phrasings = new ArrayList<>();
  private final Map<String, Map.Entry<String, String>> words = new LinkedHashMap<>();
  private final Map<String, String> sentences = new LinkedHashMap<>();
  private final boolean newestFirst;
  private final Statement rows;
  private final @Nullable Statement sentence;
  private final @Nullable Supplier<ArrayNode> source;

  private NamedQuery(String name, String text, @Nullable Supplier<ArrayNode> source) {
    this.name = name;
    this.source = source;
    List<String> header = new ArrayList<>();
    String[] statements = text.split(SENTENCE, 2);
    String statement =
        statements[0]
            .lines()
            .filter(line -> !line.startsWith("--") || !header.add(line.substring(2).strip()))
            .collect(Collectors.joining("\n"));
    this.meaning = header.removeFirst();
    this.newestFirst = header.remove("newest first");
    header.forEach(this::read);
    this.rows = Statement.of(statement);
    this.sentence = statements.length == 1 ? null : Statement.of(statements[1]);
  }

  /** A statement, with the names of its parameters in the order in which SQLite numbers them. */
  private record Statement(String sql, List<String> parameters) {
    static Statement of(String sql) {
      Stream<String> names = PARAMETER.matcher(sql).results().map(found -> found.group(1));
      return new Statement(sql, names.distinct().toList());
    }

    ArrayNode run(Database database, Function<String, @Nullable Object> value) {
      @Nullable Object[] values = parameters.stream().map(value).toArray();
      return database.read(tx -> tx.table(sql, values));
    }
  }

  private void read(String line) {
    Matcher argument = ARGUMENT.matcher(line);
    if (argument.matches()) {
      String form = argument.group(2);
      boolean isChoice = form.contains("|");
      arguments.put(
          argument.group(1),
          new QueryArgument(
              argument.group(1),
              isChoice
                  ? QueryArgument.Type.CHOICE
                  : QueryArgument.Type.valueOf(form.toUpperCase(Locale.ROOT)),
              isChoice ? List.of(form.split("\\|")) : List.of(),
              argument.group(3),
              argument.group(4)));
    } else if (line.startsWith("words ")) {
      readWords(line.substring("words ".length()));
    } else if (line.startsWith("phrasing: ")) {
      phrasings.add(Phrasing.parse(line.substring("phrasing: ".length())));
    } else {
      String[] kindAndText = line.split(": ", 2);
      sentences.put(kindAndText[0], kindAndText[1]);
    }
  }

  /** {@code status: failed = FAILED; waiting queued = PENDING}. */
  private void readWords(String line) {
    String[] argumentAndWords = line.split(": ", 2);
    for (String each : argumentAndWords[1].split("; ", -1)) {
      String[] wordsAndValue = each.split(" = ", 2);
      for (String word : wordsAndValue[0].split(" ", -1)) {
        words.put(word, Map.entry(argumentAndWords[0], wordsAndValue[1]));
      }
    }
  }

  /** Removes its phrasings and words, where they would mean something else. */
  public NamedQuery withoutPhrasings() {
    phrasings.clear();
    words.clear();
    return this;
  }

  /** Loads the file {@code queries/NAME.sql} beside a class. */
  public static NamedQuery load(Class<?> owner, String name) {
    return load(owner, name, null);
  }

  /** As above, with rows from the service's memory, if given, instead of its database. */
  public static NamedQuery load(Class<?> owner, String name, @Nullable Supplier<ArrayNode> rows) {
    return new NamedQuery(name, Classpath.read(owner, "queries/%s.sql".formatted(name)), rows);
  }

  public String name() {
    return name;
  }

  public String meaning() {
    return meaning;
  }

  /** A question in plain words that is this one. */
  public Optional<String> example() {
    return Optional.ofNullable(sentences.get("example"));
  }

  public Collection<QueryArgument> arguments() {
    return arguments.values();
  }

  public Optional<QueryArgument> argument(String of) {
    return Optional.ofNullable(arguments.get(of));
  }

  /** The words that stand for a value: word to argument and value. */
  public Map<String, Map.Entry<String, String>> words() {
    return words;
  }

  public List<Phrasing> phrasings() {
    return phrasings;
  }

  /** Whether rows are ordered newest first, so that the latest can be asked for. */
  public boolean isNewestFirst() {
    return newestFirst;
  }

  /** Its meaning, and a line for each argument. */
  public String help() {
    return arguments.values().stream()
        .map(argument ->
            "\n  %s=%s: %s".formatted(argument.name(), argument.form(), argument.meaning()))
        .collect(Collectors.joining("", "%s: %s".formatted(name, meaning), ""));
  }

  /** Adds the normalized arguments to {@code plain}, or refuses them. */
  public Optional<Refusal> read(ObjectNode given, ObjectNode plain) {
    for (Map.Entry<String, JsonNode> member : given.properties()) {
      String refused = "arguments." + member.getKey();
      QueryArgument argument = arguments.get(member.getKey());
      if (argument == null) {
        String near = SpellingSuggestion.question(member.getKey(), arguments.keySet());
        String all = String.join(", ", arguments.keySet());
        String rule = "isn't an argument of %s%s; it takes %s".formatted(name, near, all);
        return Optional.of(Refusal.invalidInput(refused, rule));
      }
      if (member.getValue().isNull()) {
        continue;
      }
      JsonNode value = argument.read(member.getValue());
      if (value == null) {
        String rule = "must be of the form " + argument.form();
        return Optional.of(Refusal.invalidInput(refused, rule));
      }
      plain.set(member.getKey(), value);
    }
    return Optional.empty();
  }

  /** Runs it with normalized arguments; {@code readsAll} is its {@code :reads_all}. */
  QueryAnswer run(Database database, ObjectNode plain, boolean readsAll) {
    Function<String, @Nullable Object> value =
        parameter ->
            switch (parameter) {
              case READS_ALL -> readsAll;
              case LIMIT -> MAX_ROWS;
              default ->
                  argument(parameter)
                      .orElseThrow(() -> new IllegalStateException("no argument " + parameter))
                      .sqlValue(plain.get(parameter));
            };
    List<ObjectNode> found = rows(database, value);
    List<String> caveats = new ArrayList<>();
    Optional.ofNullable(sentences.get("note")).ifPresent(caveats::add);
    QueryArgument limit = arguments.get(LIMIT);
    Object most = limit == null ? null : limit.sqlValue(plain.get(LIMIT));
    List<ObjectNode> first =
        found.stream().limit(most instanceof Long number ? number : found.size()).toList();
    if (found.size() > first.size()) {
      caveats.add(
          "These are the first %d of %s%d; limit=N (at a terminal -n N) shows more, %d at most."
              .formatted(
                  first.size(),
                  found.size() < MAX_ROWS ? "" : "at least ",
                  found.size(),
                  QueryArgument.MAX_NUMBER));
    }
    String sentence = sentence(database, found, value);
    return new QueryAnswer("success", name, plain, first, sentence, caveats);
  }

  /** Its rows, with values for its parameters by their names. */
  public List<ObjectNode> rows(Database database, Function<String, @Nullable Object> value) {
    List<ObjectNode> found = new ArrayList<>();
    for (JsonNode row : source != null ? source.get() : rows.run(database, value)) {
      found.add(withTimes((ObjectNode) row));
    }
    return found;
  }

  private static ObjectNode withTimes(ObjectNode row) {
    for (Map.Entry<String, JsonNode> column : row.properties()) {
      if (TIME_COLUMN.matcher(column.getKey()).matches() && column.getValue().isNumber()) {
        Instant time = Instant.ofEpochMilli(column.getValue().asLong());
        column.setValue(TextNode.valueOf(Timestamps.format(time)));
      }
    }
    return row;
  }

  private String sentence(
      Database database, List<ObjectNode> found, Function<String, @Nullable Object> value) {
    String kind = found.isEmpty() ? "none" : found.size() == 1 ? "one" : "many";
    String template = sentences.get(kind);
    if (template == null && sentence != null) {
      String json = Json.mapper().valueToTree(found).toString();
      Function<String, @Nullable Object> withRows =
          parameter -> parameter.equals("rows") ? json : value.apply(parameter);
      return sentence.run(database, withRows).path(0).elements().next().asText();
    }
    ObjectNode first = found.isEmpty() ? Json.object() : found.getFirst();
    return PLACEHOLDER
        .matcher(template == null ? "{rows} rows." : template)
        .replaceAll(match -> {
          String text =
              match.group(1).equals("rows")
                  ? Integer.toString(found.size())
                  : first.path(match.group(1)).asText("-");
          String noun = match.group(2) == null ? "" : " " + match.group(2);
          return Matcher.quoteReplacement(
              text + noun + (noun.isEmpty() || text.equals("1") ? "" : "s"));
        });
  }
}
