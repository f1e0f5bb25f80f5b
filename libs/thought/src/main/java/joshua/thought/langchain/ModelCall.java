package joshua.thought.langchain;

import java.io.IOException;
import java.time.Duration;
import joshua.thought.ModelConfig;
import joshua.thought.ModelFailedException;
import joshua.thought.ModelFailedException.Kind;
import joshua.thought.StageDeadline;
import org.jspecify.annotations.Nullable;

/**
 * The state of one running request to a model: when the next sign of life is due, and how it
 * failed. Bound to the thread that makes it, and used by that thread alone.
 */
final class ModelCall {
  static final ScopedValue<ModelCall> CURRENT = ScopedValue.newInstance();

  /**
   * A generous bound on the bytes that each token takes on the wire; an answer's overhead is extra.
   */
  private static final long BYTES_A_TOKEN = 2_048;

  private static final long BYTES_BESIDES = 1 << 20;

  private final ModelConfig config;
  private final String model;
  private final StageDeadline whole;
  private final ModelFailures modelFailures;
  private StageDeadline sign;
  private boolean heard;
  private long bytes;
  private boolean done;
  private boolean interrupted;
  private @Nullable ModelFailedException failure;
  private @Nullable RuntimeException thrown;

  ModelCall(ModelConfig config, String model, StageDeadline whole) {
    this.config = config;
    this.model = model;
    this.whole = whole;
    this.modelFailures = new ModelFailures(config, model);
    this.sign = StageDeadline.in(config.limits().firstToken());
  }

  /** The time left for the next sign of life. */
  Duration left() {
    return whole.orEarlier(sign).left();
  }

  /** The model sent something: a token, a thought, a part of a tool call. */
  void alive() {
    heard = true;
    sign = StageDeadline.in(config.limits().tokenGap());
  }

  /** The answer is complete: what happens to the connection no longer matters. */
  void done() {
    done = !isOver();
  }

  boolean isDone() {
    return done;
  }

  /** Whether it has ended, successfully or not. */
  boolean isOver() {
    return done || interrupted || failure != null || thrown != null;
  }

  /** Counts received bytes; more than an answer can need ends the call. */
  void received(int count) throws IOException {
    bytes += count;
    if (bytes > BYTES_BESIDES + BYTES_A_TOKEN * config.limits().outputTokens()) {
      throw fail(
          Kind.TOO_LARGE,
          "sent %d bytes, more than an answer of %d tokens can need"
              .formatted(bytes, config.limits().outputTokens()),
          null);
    }
  }

  /** A time limit was reached. */
  IOException timedOut() {
    String what;
    if (whole.isOver()) {
      what =
          "hadn't finished within %s for the whole answer (JOSHUA_MODEL_ANSWER_TIMEOUT)"
              .formatted(seconds(config.limits().answer()));
    } else if (heard) {
      what =
          "fell silent for %s in the middle of its answer (JOSHUA_MODEL_TOKEN_GAP_TIMEOUT)"
              .formatted(seconds(config.limits().tokenGap()));
    } else {
      what =
          "gave no first token within %s (JOSHUA_MODEL_FIRST_TOKEN_TIMEOUT)"
              .formatted(seconds(config.limits().firstToken()));
    }
    return fail(Kind.TIMED_OUT, what, null);
  }

  private static String seconds(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + " s"
        : duration.toMillis() + " ms";
  }

  void status(int status, String body, @Nullable Duration retryAfter) {
    fail(modelFailures.status(status, body, retryAfter));
  }

  void trouble(ErrorEvent event) {
    fail(modelFailures.event(event));
  }

  void unreachable(Throwable cause) {
    fail(modelFailures.unreachable(cause));
  }

  void garbled(Throwable cause) {
    fail(Kind.GARBLED, "answered with something that can't be understood", cause);
  }

  IOException brokenOff(@Nullable Throwable cause) {
    return fail(
        heard ? Kind.BROKEN_OFF : Kind.GARBLED,
        heard
            ? "ended the connection in the middle of its answer"
            : "ended the connection without an answer that can be understood",
        cause);
  }

  IOException tooMuchText(int outputTokens) {
    return fail(
        Kind.TOO_LARGE, "went on beyond the %d tokens it was given".formatted(outputTokens), null);
  }

  private IOException fail(Kind kind, String what, @Nullable Throwable cause) {
    return fail(modelFailures.of(kind, what, cause));
  }

  /** Only the first failure counts: the others are consequences. */
  private IOException fail(ModelFailedException failed) {
    if (!isOver()) {
      failure = failed;
    }
    return new IOException("the request to " + model + " is over");
  }

  void interrupt() {
    if (!isOver()) {
      interrupted = true;
    }
  }

  /** The listener threw. */
  void thrown(RuntimeException exception) {
    if (!isOver()) {
      thrown = exception;
    }
  }

  void throwIfOver() throws ModelFailedException, InterruptedException {
    if (interrupted) {
      throw new InterruptedException("the request to " + model + " was interrupted");
    }
    if (thrown != null) {
      throw thrown;
    }
    if (failure != null) {
      throw failure;
    }
  }
}
