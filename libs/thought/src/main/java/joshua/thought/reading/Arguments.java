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
 * What a question speaks of, as the arguments of one query. All of it must have its place there:
 * what no argument holds makes the question one for the next stage, not one to answer wrongly.
 */
final class Arguments {
  /** Held by a query that gives the same to everybody. */
  static final String HELD_ASKER = "asker";

  /** Held by a query about one thing that was always so. */
  static final String HELD_TIME = "time";

  /** Takes the second of two times: who does compares them. */
  private static final String THAN_SINCE = "than_since";

  private static final String THAN_UNTIL = "than_until";

  private final QuerySpec spec;
  private final List<String> names;
  private final Set<String> held;

  /**
   * @param held states, other values, names and words that the query itself speaks of, so that no
   *     argument need say them; {@link #HELD_ASKER} and {@link #HELD_TIME} where these make no
   *     difference
   */
  Arguments(QuerySpec spec, Set<String> held) {
    this.spec = spec;
    this.names = spec.arguments();
    this.held = Set.copyOf(held);
  }

  /** The arguments, or empty if something has no place, or a place has nothing. */
  Optional<ObjectNode> of(Mentions mentions, String self) {
    ObjectNode arguments = Json.object();
    return isReadable(mentions)
            && putId(mentions, arguments)
            && putRequester(mentions, self, arguments)
            && putStatus(mentions, arguments)
            && putValues(mentions, arguments)
            && putMoment(mentions, arguments)
            && putSpan(mentions, arguments)
            && putLimit(mentions, arguments)
            && nothingRequiredIsMissing(arguments)
        ? Optional.of(arguments)
        : Optional.empty();
  }

  /** When one task was doesn't matter, and may be said in any way. */
  private boolean isReadable(Mentions mentions) {
    boolean anyTime =
        held.contains(HELD_TIME) || (!mentions.ids().isEmpty() && names.contains("task_id"));
    return mentions.unreadable().stream()
        .allMatch(
            each -> held.contains(each) || (anyTime && each.equals(MentionRules.UNREAD_TIME)));
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
    String whose = names.contains("requester") ? "requester" : "participant";
    boolean takes = names.contains(whose);
    if ((!asker || held.contains(HELD_ASKER)) && held.containsAll(mentions.names())) {
      return mentions.asker() == Asker.NO || !takes;
    }
    if (!takes || mentions.names().size() + (asker ? 1 : 0) > 1) {
      return false;
    }
    arguments.put(whose, asker ? self : mentions.names().getFirst());
    return true;
  }

  private boolean putStatus(Mentions mentions, ObjectNode arguments) {
    if (held.containsAll(mentions.statuses())) {
      return true;
    }
    if (mentions.statuses().size() > 1 || !names.contains("status")) {
      return false;
    }
    return put("status", mentions.statuses(), arguments);
  }

  /** A participant has one state; who names it with the participant asks which it is. */
  private boolean putValues(Mentions mentions, ObjectNode arguments) {
    boolean ofOne = arguments.has("participant");
    Map<String, Set<String>> byArgument = new TreeMap<>();
    mentions.values().stream()
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

  /** One value that the argument takes; all that it takes restrict nothing. */
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

  private boolean putMoment(Mentions mentions, ObjectNode arguments) {
    if (mentions.moment().isPresent() && compares()) {
      return putOther(Span.hourOf(mentions.moment().get()), arguments);
    }
    return arguments.has("task_id")
        || held.contains(HELD_TIME)
        || put("at", mentions.moment(), arguments);
  }

  private boolean compares() {
    return names.contains(THAN_SINCE);
  }

  private boolean putOther(Span other, ObjectNode arguments) {
    return put(THAN_SINCE, other.since(), arguments) && put(THAN_UNTIL, other.until(), arguments);
  }

  private boolean putSpan(Mentions mentions, ObjectNode arguments) {
    if (mentions.span().isEmpty() || arguments.has("task_id") || held.contains(HELD_TIME)) {
      return true;
    }
    Span span = mentions.span().get();
    if (mentions.other().isPresent()
        && !(compares() && putOther(mentions.other().get(), arguments))) {
      return false;
    }
    // One that is over is what the present is compared with.
    if (mentions.other().isEmpty() && compares() && span.until().isPresent()) {
      return putOther(span, arguments);
    }
    return put("since", span.since(), arguments) && put("until", span.until(), arguments);
  }

  private boolean put(String name, Optional<Instant> value, ObjectNode arguments) {
    if (value.isPresent() && !names.contains(name)) {
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
