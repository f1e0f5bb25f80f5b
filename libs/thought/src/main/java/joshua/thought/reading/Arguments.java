package joshua.thought.reading;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import joshua.kernel.Json;
import joshua.thought.QuerySpec;

/**
 * What a question speaks of, as the arguments of one query. All of it must have its place there:
 * what no argument holds makes the question one for the next stage, not one to answer wrongly.
 */
final class Arguments {
  private final QuerySpec spec;
  private final List<String> names;
  private final Set<String> held;

  /**
   * @param held states that the query itself speaks of, so that no argument need say them
   */
  Arguments(QuerySpec spec, Set<String> held) {
    this.spec = spec;
    this.names = spec.arguments();
    this.held = Set.copyOf(held);
  }

  /** The arguments, or empty if something has no place, or a place has nothing. */
  Optional<ObjectNode> of(Mentions mentions, String self) {
    ObjectNode arguments = Json.object();
    return mentions.unreadable().isEmpty()
            && putId(mentions, arguments)
            && putRequester(mentions, self, arguments)
            && putStatus(mentions, arguments)
            && putSpan(mentions, arguments)
            && putLimit(mentions, arguments)
            && nothingRequiredIsMissing(arguments)
        ? Optional.of(arguments)
        : Optional.empty();
  }

  private boolean putId(Mentions mentions, ObjectNode arguments) {
    if (mentions.ids().isEmpty()) {
      return true;
    }
    if (mentions.ids().size() > 1 || !names.contains("task_id")) {
      return false;
    }
    arguments.put("task_id", mentions.ids().getFirst());
    return true;
  }

  /** One task is told by its id; whose it is adds nothing. */
  private boolean putRequester(Mentions mentions, String self, ObjectNode arguments) {
    if (arguments.has("task_id")) {
      return true;
    }
    boolean asker = mentions.asker() == Asker.YES;
    boolean takes = names.contains("requester");
    if (mentions.names().isEmpty() && !asker) {
      return mentions.asker() == Asker.NO || !takes;
    }
    if (!takes || mentions.names().size() + (asker ? 1 : 0) > 1) {
      return false;
    }
    arguments.put("requester", asker ? self : mentions.names().getFirst());
    return true;
  }

  private boolean putStatus(Mentions mentions, ObjectNode arguments) {
    if (held.containsAll(mentions.statuses())) {
      return true;
    }
    if (mentions.statuses().size() > 1 || !names.contains("status")) {
      return false;
    }
    arguments.put("status", mentions.statuses().iterator().next());
    return true;
  }

  private boolean putSpan(Mentions mentions, ObjectNode arguments) {
    if (mentions.span().isEmpty()) {
      return true;
    }
    Span span = mentions.span().get();
    return put("since", span.since(), arguments) && put("until", span.until(), arguments);
  }

  private boolean put(String name, Optional<Instant> value, ObjectNode arguments) {
    if (value.isPresent() && (!names.contains(name) || arguments.has("task_id"))) {
      return false;
    }
    value.ifPresent(instant -> arguments.put(name, instant.toString()));
    return true;
  }

  /** "The last" of a query that gives one thing anyway needs no argument. */
  private boolean putLimit(Mentions mentions, ObjectNode arguments) {
    if (mentions.limit().isEmpty()) {
      return true;
    }
    int limit = mentions.limit().getAsInt();
    if (!names.contains("limit") || arguments.has("task_id")) {
      return mentions.one() && names.contains("task_id");
    }
    JsonNode most = spec.argumentsSchema().path("properties").path("limit").path("maximum");
    if (limit < 1 || (most.isInt() && limit > most.asInt())) {
      return false;
    }
    arguments.put("limit", limit);
    return true;
  }

  private boolean nothingRequiredIsMissing(ObjectNode arguments) {
    for (JsonNode name : spec.argumentsSchema().path("required")) {
      if (!arguments.has(name.asText())) {
        return false;
      }
    }
    return !names.equals(List.of("task_id")) || arguments.has("task_id");
  }
}
