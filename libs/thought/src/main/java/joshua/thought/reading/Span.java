package joshua.thought.reading;

import java.time.Instant;
import java.util.Optional;

/** From when (included) to when (excluded); an end that is missing is open. */
record Span(Optional<Instant> since, Optional<Instant> until) {
  Span {
    if (since.isPresent() && until.isPresent() && !since.get().isBefore(until.get())) {
      throw new IllegalArgumentException("a span that ends before it begins");
    }
  }
}
