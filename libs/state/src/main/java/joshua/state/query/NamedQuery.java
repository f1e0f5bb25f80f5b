package joshua.state.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.SpellingSuggestion;
import joshua.kernel.Timestamps;
import joshua.state.Database;
import joshua.state.Resource;
import org.jspecify.annotations.Nullable;

/**
 * A question that can be asked of a service's state. A file says all of it, in lines that begin
 * with {@code --} and come before its SELECT: the meaning first; then {@code argument NAME TYPE =
 * USUAL: meaning}, where a type may be {@code WORD|WORD}; {@code words NAME: word word = VALUE; …};
 * {@code phrasing: …}; and the sentences {@code none}, {@code one} and {@code many}, in which
 * {@code {rows}} is their number, {@code {column}} a value of the first row, and {@code {column
 * noun}} so many of something; {@code note} comes with all of them. Behind a line {@code --
 * sentence} a second SELECT may make the sentence for many, of the rows as the JSON {@code :rows}.
 * Columns that end with {@code _at} are times.
 */
public final class NamedQuery {
  private static final Pattern ARGUMENT =
      Pattern.compile("argument (\\w+) ([\\w.|]+)(?: = (\\S+))?: (.+)");
  private static final Pattern PARAMETER = Pattern.compile("(?<![:\\w]):([a-z_]+)");
  private static final String LIMIT = "limit";

  /** Rows that sentences are made of; a limit shows the first of them. */
  private static final long MOST_ROWS = 10_000;

  private static final String READS_ALL = "reads_all";
  private static final String SENTENCE = "\n-- sentence\n";
  private static final Pattern PLACE = Pattern.compile("\\{(\\w+)(?: (\\w+))?}");
  private static final String TIME_SUFFIX = "_at";

  private final String name;
  private final String text;
  private final String meaning;
  private final Map<String, QueryArgument> arguments = new LinkedHashMap<>();
  private final List<Phrasing> phrasings = new ArrayList<>();
  private final Map<String, Map.Entry<String, String>> words = new LinkedHashMap<>();
  private final Map<String, String> sentences = new LinkedHashMap<>();
  private boolean newestFirst;
  private final Statement rows;
  private final @Nullable Statement sentence;
  private final @Nullable Supplier<ArrayNode> source;

  private NamedQuery(String name, String text, @Nullable Supplier<ArrayNode> source) {
    this.name = name;
    this.text = text;
    this.source = source;
    List<String> header = new ArrayList<>();
    String[] statements = text.split(SENTENCE, 2);
    String statement =
        statements[0]
            .lines()
            .filter(line -> !line.startsWith("--") || !header.add(line.substring(2).strip()))
            .collect(Collectors.joining("\n"));
    this.meaning = header.removeFirst();
    header.forEach(this::read);
    this.rows = Statement.of(statement);
    this.sentence = statements.length == 1 ? null : Statement.of(statements[1]);
  }

  /** A statement, with its parameters by name in the order in which they stand in it. */
  private record Statement(String sql, List<String> parameters) {
    static Statement of(String text) {
      List<String> parameters = new ArrayList<>();
      String sql =
          PARAMETER
              .matcher(text)
              .replaceAll(found -> {
                parameters.add(found.group(1));
                return "?";
              });
      return new Statement(sql, parameters);
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
    } else if (line.equals("newest first")) {
      newestFirst = true;
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

  /** The same query, which no plain words mean: they are about something else where it is. */
  public NamedQuery byNameAlone() {
    return new NamedQuery(name, text.replaceAll("(?m)^-- (phrasing:|words ).*\\R", ""), source);
  }

  /** Reads the file {@code queries/NAME.sql} beside a class. */
  public static NamedQuery beside(Class<?> owner, String name) {
    return beside(owner, name, null);
  }

  /** The same where the rows may come from the service's memory, not from its database. */
  public static NamedQuery beside(Class<?> owner, String name, @Nullable Supplier<ArrayNode> rows) {
    return new NamedQuery(name, Resource.text(owner, "queries/%s.sql".formatted(name)), rows);
  }

  public String name() {
    return name;
  }

  public String meaning() {
    return meaning;
  }

  public Collection<QueryArgument> arguments() {
    return arguments.values();
  }

  public Optional<QueryArgument> argument(String of) {
    return Optional.ofNullable(arguments.get(of));
  }

  /** Words that stand for the value of an argument. */
  public Map<String, Map.Entry<String, String>> words() {
    return words;
  }

  public List<Phrasing> phrasings() {
    return phrasings;
  }

  /** Whether the rows come so, and the last ones can therefore be asked for. */
  public boolean isNewestFirst() {
    return newestFirst;
  }

  /** What it answers, and a line for each argument. */
  public String help() {
    return arguments.values().stream()
        .map(argument ->
            "\n  %s=%s: %s".formatted(argument.name(), argument.form(), argument.meaning()))
        .collect(Collectors.joining("", "%s: %s".formatted(name, meaning), ""));
  }

  /**
   * Brings arguments into their plain form.
   *
   * @param plain takes them
   * @return why they can't be taken, if so
   */
  public Optional<Refusal> read(ObjectNode given, ObjectNode plain) {
    for (Map.Entry<String, JsonNode> member : given.properties()) {
      QueryArgument argument = arguments.get(member.getKey());
      if (argument == null) {
        String near =
            SpellingSuggestion.nearest(member.getKey(), arguments.keySet())
                .map(" (did you mean %s?)"::formatted)
                .orElse("");
        return Optional.of(
            Refusal.invalidInput(
                "arguments." + member.getKey(),
                "isn't an argument of %s%s; it takes %s"
                    .formatted(name, near, String.join(", ", arguments.keySet()))));
      }
      JsonNode value = argument.read(member.getValue());
      if (member.getValue().isNull()) {
        continue;
      }
      if (value == null) {
        return Optional.of(
            Refusal.invalidInput(
                "arguments." + member.getKey(), "must be of the form " + argument.form()));
      }
      plain.set(member.getKey(), value);
    }
    return Optional.empty();
  }

  /**
   * Runs it.
   *
   * @param plain arguments in their plain form
   * @param readsAll what {@code :reads_all} is
   */
  QueryAnswer run(Database database, ObjectNode plain, boolean readsAll) {
    Function<String, @Nullable Object> value =
        parameter ->
            switch (parameter) {
              case READS_ALL -> readsAll;
              case LIMIT -> MOST_ROWS;
              default -> bound(parameter, plain.get(parameter));
            };
    List<ObjectNode> found = new ArrayList<>();
    for (JsonNode row : source != null ? source.get() : rows.run(database, value)) {
      times((ObjectNode) row);
      found.add((ObjectNode) row);
    }
    List<String> caveats =
        new ArrayList<>(Optional.ofNullable(sentences.get("note")).stream().toList());
    QueryArgument limit = arguments.get(LIMIT);
    Object most = limit == null ? null : limit.bound(plain.get(LIMIT));
    int shown = most instanceof Long number ? number.intValue() : found.size();
    if (found.size() > shown) {
      caveats.add(
          "These are the first %d of %s%d; limit=N shows more, %d at most."
              .formatted(
                  shown,
                  found.size() < MOST_ROWS ? "" : "at least ",
                  found.size(),
                  QueryArgument.MOST));
    }
    String sentence = sentence(database, found, value);
    List<ObjectNode> first = List.copyOf(found.subList(0, Math.min(shown, found.size())));
    return new QueryAnswer("success", name, plain, first, sentence, caveats);
  }

  private @Nullable Object bound(String parameter, @Nullable JsonNode value) {
    QueryArgument argument = arguments.get(parameter);
    if (argument == null) {
      throw new IllegalStateException("%s has no argument %s".formatted(name, parameter));
    }
    return argument.bound(value);
  }

  private static void times(ObjectNode row) {
    for (Map.Entry<String, JsonNode> column : List.copyOf(row.properties())) {
      if (column.getKey().endsWith(TIME_SUFFIX) && column.getValue().isNumber()) {
        Instant time = Instant.ofEpochMilli(column.getValue().asLong());
        row.put(column.getKey(), Timestamps.format(time));
      }
    }
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
    return PLACE
        .matcher(template == null ? "{rows} rows." : template)
        .replaceAll(place -> {
          String text =
              place.group(1).equals("rows")
                  ? Integer.toString(found.size())
                  : first.path(place.group(1)).asText("-");
          String noun = place.group(2) == null ? "" : " " + place.group(2);
          return Matcher.quoteReplacement(
              text + noun + (noun.isEmpty() || text.equals("1") ? "" : "s"));
        });
  }
}
