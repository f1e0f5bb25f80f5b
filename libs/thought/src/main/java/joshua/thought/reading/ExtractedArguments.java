package joshua.thought.reading;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import joshua.kernel.Json;
import joshua.thought.QuerySpec;

/**
 * Maps the entities of a question to the arguments of one query. All of them must fit: if an entity
 * fits no argument, the question goes to the next stage rather than being answered wrongly.
 */
final class ExtractedArguments {
  /** Held by a query whose answer doesn't depend on the asker. */
  static final String HELD_ASKER = "asker";

  /** Held by a query whose answer doesn't depend on the time. */
  static final String HELD_TIME = "time";

  /** Takes the second of two times; a query with it compares them. */
  private static final String THAN_SINCE = "than_since";

  private static final String THAN_UNTIL = "than_until";

  private final QuerySpec spec;
  private final List<String> names;
  private final Set<String> held;

  /**
   * @param held states, other values, names and words that the query itself implies, so that no
   *     argument need express them; {@link #HELD_ASKER} and {@link #HELD_TIME} if these make no
   *     difference
   */
  ExtractedArguments(QuerySpec spec, Set<String> held) {
    this.spec = spec;
    this.names = spec.arguments();
    this.held = Set.copyOf(held);
  }

  /** The arguments; empty if an entity fits none, or a required one is missing. */
  Optional<ObjectNode> of(ExtractedEntities extractedEntities, String self) {
    ObjectNode arguments = Json.object();
    return isReadable(extractedEntities)
            && putId(extractedEntities, arguments)
            && putRequester(extractedEntities, self, arguments)
            && putStatus(extractedEntities, arguments)
            && putValues(extractedEntities, arguments)
            && putMoment(extractedEntities, arguments)
            && putSpan(extractedEntities, arguments)
            && putLimit(extractedEntities, arguments)
            && nothingRequiredIsMissing(arguments)
        ? Optional.of(arguments)
        : Optional.empty();
  }

  /** For a single task the time doesn't matter, and may be unreadable. */
  private boolean isReadable(ExtractedEntities extractedEntities) {
    boolean anyTime =
        held.contains(HELD_TIME)
            || (!extractedEntities.ids().isEmpty() && names.contains("task_id"));
    return extractedEntities.unreadable().stream()
        .allMatch(
            each -> held.contains(each) || (anyTime && each.equals(EntityExtractor.UNREAD_TIME)));
  }

  private boolean putId(ExtractedEntities extractedEntities, ObjectNode arguments) {
    if (extractedEntities.ids().isEmpty()) {
      return true;
    }
    if (extractedEntities.ids().size() > 1 || !names.contains("task_id")) {
      return false;
    }
    arguments.put("task_id", extractedEntities.ids().getFirst());
    return true;
  }

  /** A task is identified by its id; its requester adds nothing. */
  private boolean putRequester(
      ExtractedEntities extractedEntities, String self, ObjectNode arguments) {
    if (arguments.has("task_id")) {
      return true;
    }
    boolean asker = extractedEntities.asker() == AskerWords.YES;
    String whose = names.contains("requester") ? "requester" : "participant";
    boolean takes = names.contains(whose);
    if ((!asker || held.contains(HELD_ASKER)) && held.containsAll(extractedEntities.names())) {
      return extractedEntities.asker() == AskerWords.NO || !takes;
    }
    if (!takes || extractedEntities.names().size() + (asker ? 1 : 0) > 1) {
      return false;
    }
    arguments.put(whose, asker ? self : extractedEntities.names().getFirst());
    return true;
  }

  private boolean putStatus(ExtractedEntities extractedEntities, ObjectNode arguments) {
    if (held.containsAll(extractedEntities.statuses())) {
      return true;
    }
    if (extractedEntities.statuses().size() > 1 || !names.contains("status")) {
      return false;
    }
    return put("status", extractedEntities.statuses(), arguments);
  }

  /** A participant has one state; a question that names both asks which it is. */
  private boolean putValues(ExtractedEntities extractedEntities, ObjectNode arguments) {
    boolean ofOne = arguments.has("participant");
    Map<String, Set<String>> byArgument = new TreeMap<>();
    extractedEntities.values().stream()
        .filter(each -> !held.contains(each.value()))
        .filter(each -> !(ofOne && each.argument().equals("status")))
        .map(each -> names.contains(each.argument()) ? each : each.asChannel())
        .forEach(each ->
            byArgument
                .computeIfAbsent(each.argument(), argument -> new TreeSet<>())
                .add(each.value()));
    return byArgument.entrySet().stream()
        .allMatch(each -> put(each.getKey(), each.getValue(), arguments));
  }

  /**
   * Puts a single value that the argument accepts; all accepted values together restrict nothing.
   */
  private boolean put(String name, Set<String> values, ObjectNode arguments) {
    Set<String> taken = new HashSet<>();
    spec.argumentsSchema()
        .path("properties")
        .path(name)
        .path("enum")
        .forEach(each -> taken.add(each.asText()));
    if (values.equals(taken)) {
      return true;
    }
    if (values.size() > 1
        || arguments.has(name)
        || !names.contains(name)
        || !(taken.isEmpty() || taken.containsAll(values))) {
      return false;
    }
    arguments.put(name, values.iterator().next());
    return true;
  }

  private boolean putMoment(ExtractedEntities extractedEntities, ObjectNode arguments) {
    if (extractedEntities.moment().isPresent() && compares()) {
      return putOther(TimeSpan.hourOf(extractedEntities.moment().get()), arguments);
    }
    return arguments.has("task_id")
        || held.contains(HELD_TIME)
        || put("at", extractedEntities.moment(), arguments);
  }

  private boolean compares() {
    return names.contains(THAN_SINCE);
  }

  private boolean putOther(TimeSpan other, ObjectNode arguments) {
    return put(THAN_SINCE, other.since(), arguments) && put(THAN_UNTIL, other.until(), arguments);
  }

  private boolean putSpan(ExtractedEntities extractedEntities, ObjectNode arguments) {
    if (extractedEntities.span().isEmpty()
        || arguments.has("task_id")
        || held.contains(HELD_TIME)) {
      return true;
    }
    TimeSpan timeSpan = extractedEntities.span().get();
    if (extractedEntities.other().isPresent()
        && !(compares() && putOther(extractedEntities.other().get(), arguments))) {
      return false;
    }
    // A time span that is over is compared with the present.
    if (extractedEntities.other().isEmpty() && compares() && timeSpan.until().isPresent()) {
      return putOther(timeSpan, arguments);
    }
    return put("since", timeSpan.since(), arguments) && put("until", timeSpan.until(), arguments);
  }

  private boolean put(String name, Optional<Instant> value, ObjectNode arguments) {
    if (value.isPresent() && !names.contains(name)) {
      return false;
    }
    value.ifPresent(instant -> arguments.put(name, instant.toString()));
    return true;
  }

  /** "The last" needs no argument for a query that returns one thing anyway. */
  private boolean putLimit(ExtractedEntities extractedEntities, ObjectNode arguments) {
    if (extractedEntities.limit().isEmpty()) {
      return true;
    }
    int limit = extractedEntities.limit().getAsInt();
    if (!names.contains("limit") || arguments.has("task_id")) {
      return extractedEntities.one() && names.contains("task_id");
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
