package joshua.horace.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.horace.change.Refused;
import joshua.horace.document.VersionStore.Version;
import joshua.kernel.Json;
import joshua.state.Database;

/**
 * The rules that a project's documents keep to, which are documents themselves: the JSON Schemas
 * (2020-12) of paths, {@code [{"paths":["orders/*.yaml"],"schema":{…}}]}, and the steps of the
 * state's {@code phase}, {@code {"first":"begun","phases":{"begun":["done"],"done":[]}}}.
 */
record DocumentRules(Database database, Map<String, DocumentRules.Rules> known) {
  private static final String RULES = "rules/";
  private static final String SCHEMAS = RULES + "schemas.json";
  private static final String PHASES = RULES + "phases.json";
  private static final String PHASE = "phase";

  private static final String FORM = "must be like [{\"paths\":[\"orders/**\"],\"schema\":{}}]";
  private static final int MAX_PROBLEMS = 10;
  private static final Duration MAX_TIME = Duration.ofSeconds(1);
  private static final ScopedValue<Long> END = ScopedValue.newInstance();
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(
          SpecificationVersion.DRAFT_2020_12,
          registry ->
              registry.schemaRegistryConfig(
                  SchemaRegistryConfig.builder()
                      .formatAssertionsEnabled(true)
                      .locale(Locale.ENGLISH)
                      .regularExpressionFactory(regex -> {
                        Pattern pattern = Pattern.compile(regex);
                        return text -> pattern.matcher(new TimedText(text, END.get())).find();
                      })
                      .build()));

  private static final Schema META =
      REGISTRY.getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));

  DocumentRules(Database database) {
    this(database, new ConcurrentHashMap<>());
  }

  record Rule(List<Pattern> paths, Schema schema) {
    boolean isFor(String path) {
      return paths.stream().anyMatch(any -> any.matcher(path).matches());
    }
  }

  record Rules(long version, List<Rule> rules) {}

  /** A text whose reading fails after a time, so that no pattern takes for ever. */
  private record TimedText(CharSequence text, long end) implements CharSequence {
    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      if (System.nanoTime() - end > 0) {
        throw new OverTimeException();
      }
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }
  }

  private static final class OverTimeException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** The data of a document in JSON or YAML; missing if there is none. */
  JsonNode data(String project, String path) {
    return database
        .read(tx -> VersionStore.find(tx, project, path))
        .filter(it -> it.format().hasData())
        .map(it -> it.format().parse(path, it.content()))
        .orElse(MissingNode.getInstance());
  }

  /** Refuses a content that doesn't keep to its project's rules, or rules that are none. */
  void require(String project, String path, Format format, String content) {
    if (format.hasData()) {
      require(project, path, format.parse(path, content));
    } else if (Format.of(path).hasData() // or its rules would end with it
        && (path.equals(Documents.STATE)
            || path.startsWith(RULES)
            || rules(project).stream().anyMatch(rule -> rule.isFor(path)))) {
      throw Refused.invalid("%s has rules to keep, so its format must be json or yaml", path);
    }
  }

  private void require(String project, String path, JsonNode data) {
    switch (path) {
      case PHASES -> requirePhases(data);
      case Documents.AGENTS -> requireAgents(data.path("agents"));
      case Documents.STATE ->
          requireStep(data(project, PHASES), data(project, Documents.STATE), data);
      case SCHEMAS -> {
        try {
          var _ = read(data);
        } catch (SchemaException | IllegalArgumentException e) {
          Throwable why = e.getCause() == null ? e : e.getCause();
          throw Refused.invalid("%s %s: %s", path, FORM, why.getMessage());
        } catch (StackOverflowError e) {
          throw Refused.invalid(path + " has a schema that is checked without end");
        }
      }
      default -> requireSchemas(project, path, data);
    }
  }

  private void requireSchemas(String project, String path, JsonNode data) {
    try {
      String problems =
          ScopedValue.where(END, System.nanoTime() + MAX_TIME.toNanos())
              .call(() ->
                  rules(project).stream()
                      .filter(rule -> rule.isFor(path))
                      .flatMap(rule -> rule.schema().validate(data).stream())
                      .limit(MAX_PROBLEMS)
                      .map(DocumentRules::sentence)
                      .collect(Collectors.joining(", ")));
      if (!problems.isEmpty()) {
        throw Refused.invalid("%s breaks its schema: %s", path, problems);
      }
    } catch (OverTimeException | StackOverflowError e) {
      throw Refused.invalid(
          "%s takes over %d s to check, or no end; simplify the schemas of %s",
          path, MAX_TIME.toSeconds(), SCHEMAS);
    }
  }

  private static void requireAgents(JsonNode agents) {
    boolean lists =
        agents
            .valueStream()
            .allMatch(each ->
                each.path("prerequisites").isArray()
                    && each.path("prerequisites").valueStream().allMatch(JsonNode::isTextual));
    if (!agents.isObject() || !lists) {
      throw Refused.invalid(
          Documents.AGENTS + " must be like {\"agents\":{\"c5\":{\"prerequisites\":[\"A\"]}}}");
    }
  }

  private static void requirePhases(JsonNode rules) {
    JsonNode phases = rules.path("phases");
    Stream<JsonNode> next = phases.valueStream().flatMap(JsonNode::valueStream);
    if (!phases.has(rules.path("first").asText())
        || !phases.valueStream().allMatch(JsonNode::isArray)
        || !next.allMatch(to -> phases.has(to.asText()))) {
      throw Refused.invalid(
          "%s must be like {\"first\":\"a\",\"phases\":{\"a\":[\"b\"],\"b\":[]}}", PHASES);
    }
  }

  /** Refuses a step of the state's phase that the rules don't have. */
  private static void requireStep(JsonNode rules, JsonNode before, JsonNode after) {
    if (!after.isObject()) {
      throw Refused.invalid(Documents.STATE + " must be an object");
    } else if (after.has(PHASE) && !after.path(PHASE).isTextual() && !rules.isMissingNode()) {
      throw Refused.invalid("phase must be text, since the project has rules of its steps");
    }
    String from = before.path(PHASE).asText();
    String to = after.path(PHASE).asText();
    String first = rules.path("first").asText();
    JsonNode phases = rules.path("phases");
    // One that newer rules don't know may become any that they know.
    List<String> next =
        phases.has(from)
            ? phases.path(from).valueStream().map(JsonNode::asText).toList()
            : phases.propertyStream().map(Map.Entry::getKey).toList();
    if (rules.isMissingNode() || from.equals(to)) {
      return;
    } else if (from.isEmpty() && !to.equals(first)) {
      throw Refused.conflict("The first phase is %s.", first);
    } else if (!from.isEmpty() && !next.contains(to)) {
      throw Refused.conflict(
          "From %s to %s isn't allowed; from %1$s: %3$s.",
          from, to.isEmpty() ? "none" : to, next.isEmpty() ? "none" : String.join(", ", next));
    }
  }

  private static String sentence(Error error) {
    return "%s %s".formatted(error.getInstanceLocation(), error.getMessage()).strip();
  }

  private List<Rule> rules(String project) {
    Version version = database.read(tx -> VersionStore.find(tx, project, SCHEMAS)).orElse(null);
    if (version == null) {
      return List.of();
    }
    Rules rules = known.get(project);
    if (rules == null || rules.version() != version.version()) {
      rules = new Rules(version.version(), read(Format.JSON.parse(SCHEMAS, version.content())));
      known.put(project, rules);
    }
    return rules.rules();
  }

  private static List<Rule> read(JsonNode data) {
    List<Rule> rules = new ArrayList<>();
    if (!data.isArray()) {
      throw new IllegalArgumentException("it isn't an array");
    }
    for (JsonNode each : data) {
      if (!each.path("paths").isArray() || !each.path("schema").isObject()) {
        throw new IllegalArgumentException("its element %d isn't".formatted(rules.size() + 1));
      }
      Schema schema = REGISTRY.getSchema(each.path("schema"));
      schema.initializeValidators();
      String wrong = problems(META, each.path("schema"));
      if (!wrong.isEmpty()) {
        throw new IllegalArgumentException(wrong);
      }
      var _ = problems(schema, Json.object()); // whether it ends
      rules.add(
          new Rule(
              each.path("paths").valueStream().map(path -> glob(path.asText())).toList(), schema));
    }
    return rules;
  }

  private static String problems(Schema schema, JsonNode data) {
    return ScopedValue.where(END, System.nanoTime() + MAX_TIME.toNanos())
        .call(() ->
            schema.validate(data).stream()
                .limit(MAX_PROBLEMS)
                .map(DocumentRules::sentence)
                .collect(Collectors.joining(", ")));
  }

  /** A pattern of paths: * is any part of a segment, ** of the whole. */
  private static Pattern glob(String paths) {
    if (!VersionStore.isPath(paths.replace('*', 'x'))) {
      throw new IllegalArgumentException("no path is like " + paths);
    }
    return Pattern.compile(
        Pattern.compile("\\*\\*|\\*|[^*]+")
            .matcher(paths)
            .results()
            .map(part ->
                switch (part.group()) {
                  case "**" -> ".*";
                  case "*" -> "[^/]*";
                  case String text -> Pattern.quote(text);
                })
            .collect(Collectors.joining()));
  }
}
