package joshua.thought.reading;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What a question speaks of, by the rules alone.
 *
 * @param ids task ids or their beginnings, each once
 * @param names participants, each once
 * @param asker whether it speaks of what is the asker's
 * @param statuses states that it speaks of, {@code unfinished} among them
 * @param values values of other arguments that it names
 * @param other the time that the first is compared with
 * @param moment one moment that it names: "at 14:05"
 * @param limit a count that it names, or 1 for "the last task"
 * @param one whether that 1 was not named: "the last task"
 * @param unreadable what it says that these rules can't hold, for the log and for tests
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
