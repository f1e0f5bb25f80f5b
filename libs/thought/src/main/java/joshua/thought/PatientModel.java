package joshua.thought;

import java.time.Duration;
import java.util.random.RandomGenerator;
import joshua.kernel.LogMarkers;
import joshua.kernel.Pause;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A model that is asked again when a request failed in a way that passes, and only before its first
 * token: what was heard is never said twice. Waits are random parts of doubling ceilings; a
 * server's {@code Retry-After} goes before them, within the time for the answer.
 */
final class PatientModel implements Model {
  static final Duration FIRST_WAIT = Duration.ofMillis(500);
  static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  private static final int DOUBLINGS_TO_LONGEST = 6;
  private static final Logger log = LoggerFactory.getLogger(PatientModel.class);

  private final Model model;
  private final int retries;
  private final CircuitBreaker breaker;
  private final Pause pause;
  private final RandomGenerator random;

  PatientModel(
      Model model, int retries, CircuitBreaker breaker, Pause pause, RandomGenerator random) {
    this.model = model;
    this.retries = retries;
    this.breaker = breaker;
    this.pause = pause;
    this.random = random;
  }

  @Override
  public String name() {
    return model.name();
  }

  @Override
  public String provider() {
    return model.provider();
  }

  @Override
  public Completion complete(ModelRequest request, TokenListener listener)
      throws ModelFailed, InterruptedException {
    ModelFailed last = null;
    for (int attempt = 0; ; attempt++) {
      if (!breaker.admits()) {
        throw last == null ? notAsked() : more(last, "It isn't asked again for a while.");
      }
      Ears ears = new Ears(listener);
      try {
        Completion completion = model.complete(request, ears);
        breaker.lives();
        return completion;
      } catch (ModelFailed failure) {
        if (failure.kind().ofTheServer() && !ears.heard) {
          breaker.failed();
        } else {
          breaker.lives();
        }
        pause.pause(waitAfter(failure, attempt, ears.heard, request.deadline()));
        last = failure;
      }
    }
  }

  private ModelFailed notAsked() {
    return new ModelFailed(
        ModelFailed.Kind.UNREACHABLE,
        "%s was not asked for %s: its last %d requests failed. It is tried again within %d s."
            .formatted(
                provider(),
                name(),
                CircuitBreaker.OPENS_AFTER,
                CircuitBreaker.OPEN_FOR.toSeconds()),
        null,
        null);
  }

  /** How long to wait before the next attempt; throws the failure when there is to be none. */
  private Duration waitAfter(ModelFailed failure, int attempt, boolean heard, Deadline deadline)
      throws ModelFailed {
    if (!failure.kind().passing() || heard || attempt >= retries) {
      throw attempt == 0 ? failure : more(failure, "It was tried %d times.".formatted(attempt + 1));
    }
    Duration wait =
        failure
            .retryAfter()
            .map(asked -> asked.plus(part(FIRST_WAIT)))
            .orElseGet(() -> part(ceiling(attempt)));
    if (wait.compareTo(deadline.left()) >= 0) {
      throw more(
          failure,
          "Another attempt is due in %d s, and the time for this answer ends before."
              .formatted(wait.toSeconds()));
    }
    log.info(
        LogMarkers.QUOTES_OTHERS,
        "asking {} again in {} ms: {}",
        name(),
        wait.toMillis(),
        failure.getMessage());
    return wait;
  }

  private static ModelFailed more(ModelFailed failure, String sentence) {
    return new ModelFailed(
        failure.kind(),
        failure.getMessage() + " " + sentence,
        failure.retryAfter().orElse(null),
        failure.getCause());
  }

  static Duration ceiling(int attempt) {
    Duration doubled = FIRST_WAIT.multipliedBy(1L << Math.min(attempt, DOUBLINGS_TO_LONGEST));
    return doubled.compareTo(LONGEST_WAIT) < 0 ? doubled : LONGEST_WAIT;
  }

  private Duration part(Duration of) {
    return Duration.ofMillis(random.nextLong(of.toMillis() + 1));
  }

  /** Knows whether a token has been passed on. */
  private static final class Ears implements TokenListener {
    private final TokenListener listener;
    private boolean heard;

    Ears(TokenListener listener) {
      this.listener = listener;
    }

    @Override
    public void token(String text) throws InterruptedException {
      heard = true;
      listener.token(text);
    }

    @Override
    public void working() throws InterruptedException {
      listener.working();
    }
  }
}
