package joshua.thought.reading;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** A time span from an inclusive start to an exclusive end; a missing bound is open. */
record TimeSpan(Optional<Instant> since, Optional<Instant> until) {
  TimeSpan {
    if (since.isPresent() && until.isPresent() && !since.get().isBefore(until.get())) {
      throw new IllegalArgumentException("a span that ends before it begins");
    }
  }

  /** The whole hour that contains a point in time. */
  static TimeSpan hourOf(Instant moment) {
    Instant begin = moment.truncatedTo(ChronoUnit.HOURS);
    return new TimeSpan(Optional.of(begin), Optional.of(begin.plus(1, ChronoUnit.HOURS)));
  }
}
