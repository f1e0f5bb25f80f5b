package joshua.thought;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.LogMarkers;
import joshua.kernel.LogThrottle;
import joshua.kernel.Refusal;
import joshua.kernel.TextExcerpt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whitelist of queries: the only way for a thought to read the state of its MAD (REQ-FD-10).
 * Unlisted names and arguments that violate a query's schema are refused and logged; nothing runs.
 */
public final class QueryWhitelist {
  /** The maximum number of rows; further ones are cut, with a remark. Queries have lower limits. */
  public static final int MAX_ROWS = 1_000;

  private static final int MAX_LOGGED = 200;

  /** Rate limit of the log: an asker can cause refusals and failures as often as it likes. */
  static final Duration LOGGED_EVERY = Duration.ofSeconds(10);

  private static final Logger log = LoggerFactory.getLogger(QueryWhitelist.class);

  /** Compiles a JSON Schema into a check that names the first rule that a value violates. */
  @FunctionalInterface
  public interface SchemaCompiler
      extends Function<ObjectNode, Function<JsonNode, Optional<String>>> {}

  /** The result of an attempt to run a query. */
  public sealed interface Outcome {
    /**
     * It ran.
     *
     * @param cut how many rows beyond {@link #MAX_ROWS} were left out
     */
    record Found(Evidence evidence, int cut, RowSummary summary) implements Outcome {}

    /** It didn't run. */
    record Refused(Refusal refusal) implements Outcome {}

    /**
     * It ran and failed; the log has the reason, and so does the message if the asker can do
     * something about it.
     */
    record Failed(String message, Exception cause) implements Outcome {}
  }

  private record Entry(Query query, QuerySpec spec, Function<JsonNode, Optional<String>> rules) {}

  private final Map<String, Entry> byName = new LinkedHashMap<>();
  private final LogThrottle refusals = new LogThrottle(LOGGED_EVERY, System::nanoTime);
  private final LogThrottle failures = new LogThrottle(LOGGED_EVERY, System::nanoTime);

  public QueryWhitelist(List<Query> whitelist, SchemaCompiler compiler) {
    for (Query query : whitelist) {
      QuerySpec spec = query.spec();
      Entry entry = new Entry(query, spec, compiler.apply(spec.argumentsSchema()));
      if (byName.put(spec.name(), entry) != null) {
        throw new IllegalArgumentException("two queries are called " + spec.name());
      }
    }
  }

  /** The whitelisted queries, in their original order. */
  public List<QuerySpec> specs() {
    return byName.values().stream().map(Entry::spec).toList();
  }

  public Optional<QuerySpec> spec(String name) {
    return Optional.ofNullable(byName.get(name)).map(Entry::spec);
  }

  /** The rule that the arguments violate, in words; empty if they are valid. */
  public Optional<String> problem(String name, JsonNode arguments) {
    Entry entry = byName.get(name);
    return entry == null ? Optional.of(unknown(name)) : problem(entry, arguments);
  }

  /** Runs a query for the asker of {@code prompt}, or refuses. */
  public Outcome run(String name, JsonNode arguments, UserPrompt userPrompt)
      throws InterruptedException {
    Entry entry = byName.get(name);
    if (entry == null) {
      return refuse(ErrorCode.FORBIDDEN, unknown(name), name, arguments, userPrompt);
    }
    Optional<String> problem = problem(entry, arguments);
    if (problem.isPresent()) {
      return refuse(ErrorCode.INVALID_INPUT, problem.get(), name, arguments, userPrompt);
    }
    ObjectNode checked = (ObjectNode) arguments.deepCopy();
    try {
      ArrayNode rows = entry.query().run(checked.deepCopy(), userPrompt);
      return found(name, checked, rows, entry.query().summary(checked.deepCopy(), rows));
    } catch (InterruptedException e) {
      throw e;
    } catch (DateTimeException e) {
      // The schema's date-time accepts some dates that don't exist.
      return refuse(
          ErrorCode.INVALID_INPUT,
          "a moment isn't one: " + printable(String.valueOf(e.getMessage())),
          name,
          arguments,
          userPrompt);
    } catch (QueryFailedException e) {
      failed(name, userPrompt, e);
      return new Outcome.Failed("The query %s failed. %s".formatted(name, e.getMessage()), e);
    } catch (Exception e) {
      failed(name, userPrompt, e);
      return new Outcome.Failed("The query " + name + " failed; the log says why.", e);
    }
  }

  private void failed(String name, UserPrompt userPrompt, Exception why) {
    long times = failures.occurred();
    if (times > 0) {
      log.warn(
          "query {} of {} failed; failures since the last such line: {}",
          name,
          userPrompt.correlationId(),
          times,
          why);
    }
  }

  private static Optional<String> problem(Entry entry, JsonNode arguments) {
    return arguments.isObject()
        ? entry.rules().apply(arguments)
        : Optional.of("the arguments must be an object");
  }

  private static Outcome found(
      String name, ObjectNode arguments, ArrayNode rows, RowSummary summary) {
    int cut = Math.max(0, rows.size() - MAX_ROWS);
    ArrayNode kept = rows;
    if (cut > 0) {
      kept = Json.shared().createArrayNode();
      for (int i = 0; i < MAX_ROWS; i++) {
        kept.add(rows.get(i));
      }
    }
    return new Outcome.Found(new Evidence(name, arguments, kept), cut, summary);
  }

  private String unknown(String name) {
    return "there is no query "
        + printable(name)
        + "; there are "
        + String.join(", ", byName.keySet());
  }

  private Outcome refuse(
      ErrorCode code,
      String message,
      String name,
      @Nullable JsonNode arguments,
      UserPrompt userPrompt) {
    long times = refusals.occurred();
    if (times > 0) {
      log.warn(
          LogMarkers.QUOTES_OTHERS,
          "refused query {} of {} for {}: {}; its arguments were {}; refused since the last such line: {}",
          printable(name),
          userPrompt.correlationId(),
          userPrompt.requesterId(),
          printable(message),
          printable(String.valueOf(arguments)),
          times);
    }
    return new Outcome.Refused(Refusal.of(code, message));
  }

  /** A single line of bounded length, whatever a model wrote. */
  static String printable(String text) {
    return TextExcerpt.of(text.replaceAll("\\p{Cntrl}", " "), MAX_LOGGED);
  }
}
