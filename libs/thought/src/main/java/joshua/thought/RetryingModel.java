package joshua.thought;

import java.time.Duration;
import java.util.random.RandomGenerator;
import joshua.kernel.LogMarkers;
import joshua.kernel.TimedWait;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A model with retries of requests that failed temporarily, and only before the first token, so
 * that no text is streamed twice. Delays are random parts of doubling ceilings; a server's {@code
 * Retry-After} takes precedence, within the time for the answer.
 */
final class RetryingModel implements LanguageModel {
  static final Duration FIRST_WAIT = Duration.ofMillis(500);
  static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  private static final int DOUBLINGS_TO_LONGEST = 6;
  private static final Logger log = LoggerFactory.getLogger(RetryingModel.class);

  private final LanguageModel languageModel;
  private final int retries;
  private final CircuitBreaker breaker;
  private final TimedWait timedWait;
  private final RandomGenerator random;

  RetryingModel(
      LanguageModel languageModel,
      int retries,
      CircuitBreaker breaker,
      TimedWait timedWait,
      RandomGenerator random) {
    this.languageModel = languageModel;
    this.retries = retries;
    this.breaker = breaker;
    this.timedWait = timedWait;
    this.random = random;
  }

  @Override
  public String name() {
    return languageModel.name();
  }

  @Override
  public String provider() {
    return languageModel.provider();
  }

  @Override
  public ModelCompletion complete(ModelRequest request, TokenListener listener)
      throws ModelFailedException, InterruptedException {
    ModelFailedException last = null;
    for (int attempt = 0; ; attempt++) {
      if (!breaker.admits()) {
        throw last == null ? notAsked() : more(last, "It isn't asked again for a while.");
      }
      Ears ears = new Ears(listener);
      try {
        ModelCompletion modelCompletion = languageModel.complete(request, ears);
        breaker.lives();
        return modelCompletion;
      } catch (ModelFailedException failure) {
        if (failure.kind().ofTheServer() && !ears.heard) {
          breaker.failed();
        } else {
          breaker.lives();
        }
        timedWait.pause(waitAfter(failure, attempt, ears.heard, request.deadline()));
        last = failure;
      }
    }
  }

  private ModelFailedException notAsked() {
    return new ModelFailedException(
        ModelFailedException.Kind.UNREACHABLE,
        "%s was not asked for %s: its last %d requests failed. It is tried again within %d s."
            .formatted(
                provider(),
                name(),
                CircuitBreaker.OPENS_AFTER,
                CircuitBreaker.OPEN_FOR.toSeconds()),
        null,
        null);
  }

  /** The delay before the next attempt; throws the failure if there is to be none. */
  private Duration waitAfter(
      ModelFailedException failure, int attempt, boolean heard, StageDeadline stageDeadline)
      throws ModelFailedException {
    if (!failure.kind().passing() || heard || attempt >= retries) {
      throw attempt == 0 ? failure : more(failure, "It was tried %d times.".formatted(attempt + 1));
    }
    Duration wait =
        failure
            .retryAfter()
            .map(asked -> asked.plus(part(FIRST_WAIT)))
            .orElseGet(() -> part(ceiling(attempt)));
    if (wait.compareTo(stageDeadline.left()) >= 0) {
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

  private static ModelFailedException more(ModelFailedException failure, String sentence) {
    return new ModelFailedException(
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

  /** Records whether a token has been passed on. */
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
