package joshua.state.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.SpellingSuggestion;
import joshua.state.Database;

/** The queries of a service: all that anybody can ask of its state (REQ-FD-10). */
public final class NamedQueries {
  private static final String REQUESTER = "requester";

  private final Map<String, NamedQuery> queries = new LinkedHashMap<>();
  private final Database database;
  private final Caveats caveats;

  public NamedQueries(List<NamedQuery> queries, Database database) {
    this(queries, database, (query, arguments) -> List.of());
  }

  /** Queries whose answers may be incomplete. */
  public NamedQueries(List<NamedQuery> queries, Database database, Caveats caveats) {
    queries.forEach(query -> this.queries.put(query.name(), query));
    this.database = database;
    this.caveats = caveats;
  }

  /** What must be known of an answer beside its rows. */
  @FunctionalInterface
  public interface Caveats {
    /**
     * Sentences.
     *
     * @param arguments in their plain form
     */
    List<String> of(NamedQuery query, ObjectNode arguments);
  }

  public List<NamedQuery> all() {
    return List.copyOf(queries.values());
  }

  /** The outcome of asking. */
  public sealed interface Result {
    record Answered(QueryAnswer answer) implements Result {}

    record Refused(Refusal refusal) implements Result {}
  }

  /**
   * Asks, whatever the name and arguments are: nothing but these queries can be run.
   *
   * @param onlyOf whose rows alone may be shown, where a query has the argument {@code requester}
   * @throws joshua.state.StoreException where the database can't be read
   */
  public Result ask(String name, ObjectNode arguments, Optional<String> onlyOf) {
    return ask(name, arguments, onlyOf, false);
  }

  /**
   * As above.
   *
   * @param readsAll whether the asker may read what others sent each other directly
   */
  public Result ask(String name, ObjectNode arguments, Optional<String> onlyOf, boolean readsAll) {
    NamedQuery query = queries.get(name);
    if (query == null) {
      String near =
          SpellingSuggestion.nearest(name, queries.keySet())
              .map(" (did you mean %s?)"::formatted)
              .orElse("");
      return refused(
          ErrorCode.INVALID_INPUT,
          "There is no such query%s; there are %s."
              .formatted(near, String.join(", ", queries.keySet())));
    }
    ObjectNode plain = Json.object();
    Optional<Refusal> refusal = query.read(arguments, plain);
    if (refusal.isPresent()) {
      return new Result.Refused(refusal.get());
    }
    if (onlyOf.isPresent() && query.argument(REQUESTER).isPresent()) {
      if (!plain.path(REQUESTER).asText(onlyOf.get()).equals(onlyOf.get())) {
        return refused(
            ErrorCode.FORBIDDEN, "Viewers see their own alone: leave out arguments.requester.");
      }
      plain.put(REQUESTER, onlyOf.get());
    }
    QueryAnswer answer = query.run(database, plain, readsAll);
    answer.caveats().addAll(caveats.of(query, plain));
    return new Result.Answered(answer);
  }

  private static Result refused(ErrorCode code, String message) {
    return new Result.Refused(Refusal.of(code, message));
  }
}
