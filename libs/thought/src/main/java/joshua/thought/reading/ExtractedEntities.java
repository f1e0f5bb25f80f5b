package joshua.thought.reading;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The entities of a question, found by rules alone.
 *
 * @param ids task ids or prefixes, each once
 * @param names participants, each once
 * @param asker whether it refers to the asker's own things
 * @param statuses the states that it mentions, possibly {@code unfinished}
 * @param values values of other arguments
 * @param other the time that the first is compared with
 * @param moment a single point in time: "at 14:05"
 * @param limit a count, or 1 for "the last task"
 * @param one whether that 1 was implied: "the last task"
 * @param unreadable parts that these rules can't represent, for the log and for tests
 */
record ExtractedEntities(
    List<String> ids,
    List<String> names,
    AskerWords asker,
    Set<String> statuses,
    Set<NamedValues.Named> values,
    Optional<TimeSpan> span,
    Optional<TimeSpan> other,
    Optional<Instant> moment,
    OptionalInt limit,
    boolean one,
    List<String> unreadable) {
  ExtractedEntities {
    ids = List.copyOf(ids);
    names = List.copyOf(names);
    statuses = Set.copyOf(statuses);
    values = Set.copyOf(values);
    unreadable = List.copyOf(unreadable);
  }
}
