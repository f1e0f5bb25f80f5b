package joshua.tasks.worker;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks repeated failures of one of our threads that are caused by a bug and not by the database:
 * logs the first, and reports the problem once it lasts. Thread-safe.
 */
final class FailureTracker {
  /** How long failures must last to be reported; a single one may be chance. */
  static final Duration LASTING = Duration.ofSeconds(10);

  private static final Logger log = LoggerFactory.getLogger(FailureTracker.class);

  private final String what;
  private final InstantSource time;
  private final AtomicReference<Optional<Instant>> since = new AtomicReference<>(Optional.empty());

  /**
   * Starts without failures.
   *
   * @param what isn't being done, as the beginning of a sentence: "No task is taken"
   */
  FailureTracker(String what, InstantSource time) {
    this.what = what;
    this.time = time;
  }

  void met(Throwable cause) {
    Optional<Instant> before = since.getAndUpdate(at -> at.or(() -> Optional.of(time.instant())));
    if (before.isEmpty()) {
      log.error("{}; it is tried again", what, cause);
    } else {
      log.debug("{} still", what, cause);
    }
  }

  void over() {
    since.getAndSet(Optional.empty()).ifPresent(at -> log.info("over, since {}: {}", at, what));
  }

  /** A sentence for monitoring; empty while all is well. */
  Optional<String> lasting() {
    Instant now = time.instant();
    return since
        .get()
        .filter(at -> !Duration.between(at, now).minus(LASTING).isNegative())
        .map(at -> "%s since %s; the service's log tells why".formatted(what, at));
  }
}
