package joshua.thought.reading;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;
import joshua.thought.PromptReader;
import joshua.thought.PromptReading;
import joshua.thought.QuerySpec;
import joshua.thought.UserPrompt;
import org.jspecify.annotations.Nullable;

/**
 * The decision tree router (+FD-11): maps exact commands to their query, word by word down an
 * explicit tree, and nothing else. A prompt that leaves the tree is passed on. Besides the MAD's
 * own forms it knows {@code help}, and each query by its name with {@code argument=value} pairs.
 */
public final class Dtr implements PromptReader {
  /** The maximum number of words of a command. */
  static final int MAX_WORDS = 12;

  private static final String END_MARKS = "?.!";
  private static final Pattern ID = Pattern.compile("[0-9a-f]{8}[0-9a-f-]{0,28}");
  private static final Pattern COUNT = Pattern.compile("[1-9][0-9]{0,3}");
  private static final Set<String> NAMES = Set.of("<name>", "<participant>");
  private static final Pattern STATUS =
      Pattern.compile("pending|running|streaming|completed|failed|unfinished");

  /**
   * A command of a MAD: {@code new Form("my <status> tasks", "tasks", Map.of("requester", "me",
   * "status", "<status>"))}. Slots are {@code <id>}, {@code <status>}, {@code <count>}, {@code
   * <name>}, and {@code <participant>}, a known name; the value {@code me} is the asker.
   */
  public record Form(String words, String query, Map<String, String> arguments) {
    public Form {
      arguments = Map.copyOf(arguments);
    }
  }

  /** A word of the tree, and what may follow it. */
  private static final class Node {
    private final Map<String, Node> words = new LinkedHashMap<>();
    private @Nullable Form form;
  }

  private final Node root = new Node();
  private final Map<String, QuerySpec> queries = new LinkedHashMap<>();
  private final List<Form> forms;
  private final Supplier<Set<String>> participants;

  /** A router without known participants. */
  public Dtr(List<QuerySpec> specs, List<Form> forms) {
    this(specs, forms, Set::of);
  }

  /**
   * Creates a router.
   *
   * @param participants the known participants; requested when a form needs them
   */
  public Dtr(List<QuerySpec> specs, List<Form> forms, Supplier<Set<String>> participants) {
    this.participants = participants;
    specs.forEach(spec -> queries.put(spec.name(), spec));
    this.forms = List.copyOf(forms);
    for (Form form : forms) {
      if (!queries.containsKey(form.query())) {
        throw new IllegalArgumentException(form.words() + " leads to no query");
      }
      Node node = root;
      for (String word : form.words().split(" ", -1)) {
        node = node.words.computeIfAbsent(word, each -> new Node());
      }
      if (node.form != null) {
        throw new IllegalArgumentException("two forms are: " + form.words());
      }
      node.form = form;
    }
  }

  @Override
  public PromptReading read(UserPrompt userPrompt) {
    List<String> words = List.of(withoutEndMarks(userPrompt.text().strip()).split("\\s+"));
    if (words.size() > MAX_WORDS) {
      return new PromptReading.PassedOn();
    }
    String first = words.getFirst().toLowerCase(Locale.ROOT);
    if (words.size() == 1 && (first.equals("help") || first.isEmpty())) {
      return new PromptReading.Said(help(), "a wish for help");
    }
    return down(words, userPrompt.requesterId())
        .or(() -> named(first, words.subList(1, words.size()), userPrompt.requesterId()))
        .orElseGet(PromptReading.PassedOn::new);
  }

  private static String withoutEndMarks(String text) {
    int end = text.length();
    while (end > 0 && END_MARKS.indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    return text.substring(0, end).strip();
  }

  /** The help text: the available commands. */
  private List<String> help() {
    List<String> lines = new ArrayList<>();
    lines.add("Ask in plain words, or by these commands:");
    forms.forEach(form -> lines.add("  " + form.words()));
    lines.add("Each query by its name, with argument=value pairs behind it:");
    queries
        .values()
        .forEach(spec -> {
          String arguments = String.join(", ", spec.arguments());
          lines.add(
              "  "
                  + spec.name()
                  + (arguments.isEmpty() ? "" : " (" + arguments + ")")
                  + ": "
                  + spec.meaning());
        });
    return lines;
  }

  private Optional<PromptReading> down(List<String> words, String asker) {
    Node node = root;
    Map<String, String> slots = new LinkedHashMap<>();
    for (String word : words) {
      String lower = word.toLowerCase(Locale.ROOT);
      Node next = node.words.get(lower);
      for (Map.Entry<String, Node> each : node.words.entrySet()) {
        if (next == null && fits(each.getKey(), word)) {
          slots.put(each.getKey(), NAMES.contains(each.getKey()) ? word : lower);
          next = each.getValue();
        }
      }
      if (next == null) {
        return Optional.empty();
      }
      node = next;
    }
    return Optional.ofNullable(node.form).flatMap(form -> asked(form, slots, asker));
  }

  private boolean fits(String slot, String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    return switch (slot) {
      case "<id>" -> ID.matcher(lower).matches();
      case "<status>" -> STATUS.matcher(lower).matches();
      case "<count>" -> COUNT.matcher(lower).matches();
      case "<name>" -> BusIdentifiers.isIdentifier(word);
      case "<participant>" -> participants.get().contains(word);
      default -> false;
    };
  }

  private Optional<PromptReading> asked(Form form, Map<String, String> slots, String asker) {
    Map<String, String> values = new LinkedHashMap<>();
    form.arguments().forEach((name, value) -> values.put(name, slots.getOrDefault(value, value)));
    return asked(form.query(), values, asker);
  }

  private Optional<PromptReading> named(String query, List<String> pairs, String asker) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String pair : pairs) {
      int equals = pair.indexOf('=');
      if (equals < 1 || values.put(pair.substring(0, equals), pair.substring(equals + 1)) != null) {
        return Optional.empty();
      }
    }
    return queries.containsKey(query) ? asked(query, values, asker) : Optional.empty();
  }

  private Optional<PromptReading> asked(String query, Map<String, String> values, String asker) {
    QuerySpec spec = queries.get(query);
    if (spec == null || !spec.arguments().containsAll(values.keySet())) {
      return Optional.empty();
    }
    ObjectNode arguments = Json.object();
    for (String name : spec.arguments()) {
      String value = values.get(name);
      if (value != null && !put(name, value, asker, spec, arguments)) {
        return Optional.empty();
      }
    }
    return Optional.of(
        new PromptReading.Asked(
            query, arguments, arguments.isEmpty() ? query : query + " " + Json.write(arguments)));
  }

  /** Whether the value has the format that the argument requires. */
  private static boolean put(
      String name, String value, String asker, QuerySpec spec, ObjectNode arguments) {
    JsonNode schema = spec.argumentsSchema().path("properties").path(name);
    if (schema.has("enum")) {
      return putOneOf(name, value, schema.path("enum"), arguments);
    }
    switch (name) {
      case "limit" -> {
        if (!COUNT.matcher(value).matches()
            || schema.path("maximum").asInt(Integer.MAX_VALUE) < Integer.parseInt(value)) {
          return false;
        }
        arguments.put(name, Integer.parseInt(value));
      }
      case "at", "since", "until" -> {
        try {
          arguments.put(name, Instant.parse(value).toString());
        } catch (DateTimeParseException e) {
          return false;
        }
      }
      default -> arguments.put(name, value.equals("me") ? asker : value);
    }
    return !name.equals("task_id") || ID.matcher(value).matches();
  }

  /** Puts the accepted value that matches, ignoring case. */
  private static boolean putOneOf(String name, String value, JsonNode taken, ObjectNode arguments) {
    for (JsonNode each : taken) {
      if (each.asText().equalsIgnoreCase(value)) {
        arguments.put(name, each.asText());
        return true;
      }
    }
    return false;
  }
}
