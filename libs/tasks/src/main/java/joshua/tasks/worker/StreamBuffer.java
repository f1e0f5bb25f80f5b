package joshua.tasks.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import joshua.kernel.ClockSources;
import joshua.tasks.model.LimitExceededException;
import joshua.tasks.model.RunEnding;
import joshua.tasks.model.StreamFrame;
import joshua.tasks.model.TaskState;
import joshua.tasks.model.UnicodeStream;
import org.jspecify.annotations.Nullable;

/**
 * The buffer of a running task's output and ending, between the thread that does the work and the
 * one that stores it. Guarded by {@code lock}. Unstored frames are bounded: beyond {@value
 * #WAITING} text is appended to the last one of the same model, and all text of a task is limited
 * to {@code limit} characters.
 */
public final class StreamBuffer {
  /** How long a task may go without a token before it is shown as RUNNING. */
  static final Duration STALL = Duration.ofSeconds(2);

  static final int WAITING = 4_096;

  /** The maximum length of a frame in characters; a longer token is split. */
  public static final int LONGEST = 16 * 1024;

  /** The maximum number of frames per attempt. */
  public static final int FRAMES = 250_000;

  private static final int MODELS = 100;
  private static final String NO_MODEL = "";

  private final long limit;
  private final ClockSources clockSources;
  private final Runnable overdone;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<String, Voice> voices = new LinkedHashMap<>();
  private final List<StreamFrame> waiting = new ArrayList<>();

  /** The index in {@link #waiting} of each model's last frame. */
  private final Map<Optional<String>, Integer> lastOf = new HashMap<>();

  private long characters;
  private long next;
  private boolean speaking;
  private long stalledAt;
  private @Nullable RunEnding runEnding;

  /** The output so far of one model, or of the task itself. */
  private static final class Voice {
    private final StringBuilder said = new StringBuilder();
    private final UnicodeStream text = new UnicodeStream();
  }

  /**
   * A text that, by the result, was streamed.
   *
   * @param model empty where the task itself is the source
   */
  private record Claim(String model, String text) {}

  /** The output to store next. */
  record Portion(List<StreamFrame> frames, boolean speaking, Optional<RunEnding> ending) {}

  /**
   * Starts without output.
   *
   * @param first the number of the first frame
   * @param overdone called when the output exceeds the limit, which ends it
   */
  StreamBuffer(long limit, long first, ClockSources clockSources, Runnable overdone) {
    this.limit = limit;
    this.next = first;
    this.clockSources = clockSources;
    this.overdone = overdone;
    this.stalledAt = clockSources.in(STALL);
  }

  /** Adds a piece of the text. */
  void token(String text) {
    say(NO_MODEL, text);
  }

  /** Adds a piece of one model's text. */
  void token(String model, String text) {
    say(model, text);
  }

  /** Notes that the work goes on without text: its silence isn't a stall. */
  void working() {
    lock.lock();
    try {
      checkGoingOn();
      rest();
    } finally {
      lock.unlock();
    }
  }

  private void say(String model, String text) {
    try {
      sayUnlessTooMuch(model, text);
    } catch (LimitExceededException e) {
      if (end(new RunEnding.Broken(e))) {
        overdone.run();
      }
      throw e;
    }
  }

  private void sayUnlessTooMuch(String model, String text) {
    lock.lock();
    try {
      checkGoingOn();
      Voice voice = voice(model);
      add(model, voice, voice.text.next(text));
      speaking = true;
      stalledAt = clockSources.in(STALL);
    } finally {
      lock.unlock();
    }
  }

  private void checkGoingOn() {
    if (runEnding != null) {
      throw new CancellationException("the task has ended");
    }
  }

  private Voice voice(String model) {
    Voice voice = voices.get(model);
    if (voice == null) {
      if (voices.size() > MODELS) {
        throw new LimitExceededException(
            "More than %d models speak in one task.".formatted(MODELS));
      }
      voice = new Voice();
      voices.put(model, voice);
    }
    return voice;
  }

  private void add(String model, Voice voice, String text) {
    characters += text.length();
    if (characters > limit) {
      throw LimitExceededException.result(limit);
    }
    voice.said.append(text);
    Optional<String> speaker = model.isEmpty() ? Optional.empty() : Optional.of(model);
    for (String piece : UnicodeStream.pieces(text, LONGEST)) {
      frame(piece, speaker);
    }
    changed.signalAll();
  }

  private void frame(String token, Optional<String> model) {
    if (waiting.size() >= WAITING) {
      Integer at = lastOf.get(model);
      StreamFrame last = at == null ? null : waiting.get(at);
      if (at != null && last != null && last.token().length() + token.length() <= LONGEST) {
        waiting.set(at, new StreamFrame(last.sequence(), last.token() + token, model));
        return;
      }
    }
    if (next >= FRAMES) {
      throw new LimitExceededException("The text came in more than %d pieces.".formatted(FRAMES));
    }
    lastOf.put(model, waiting.size());
    waiting.add(new StreamFrame(next++, token, model));
  }

  private void rest() {
    if (speaking) {
      speaking = false;
      changed.signalAll();
    }
  }

  /** Checks whether the text has stalled. */
  void look() {
    lock.lock();
    try {
      if (clockSources.nanos() - stalledAt > 0) {
        rest();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the output; only the first call counts.
   *
   * @return whether this was the first call
   */
  boolean end(RunEnding how) {
    lock.lock();
    try {
      boolean first = runEnding == null;
      if (first) {
        runEnding = how;
        changed.signalAll();
      }
      return first;
    } finally {
      lock.unlock();
    }
  }

  Optional<RunEnding> ending() {
    lock.lock();
    try {
      return Optional.ofNullable(runEnding);
    } finally {
      lock.unlock();
    }
  }

  /** Waits for output to store, a state change to show, or the end. */
  Portion take(TaskState shown) {
    lock.lock();
    try {
      while (runEnding == null && waiting.isEmpty() && (speaking || shown == TaskState.RUNNING)) {
        changed.awaitUninterruptibly();
      }
      return new Portion(drained(), speaking, Optional.ofNullable(runEnding));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Compares the streamed text with a result, and adds what is missing at its end.
   *
   * @return the frames of the added text
   * @throws LimitExceededException if it exceeds the task's limit
   * @throws IllegalStateException if the result's text differs from the streamed one
   */
  List<StreamFrame> complete(ObjectNode result) {
    lock.lock();
    try {
      for (Claim claim : claims(result)) {
        Voice voice = voice(claim.model());
        add(claim.model(), voice, voice.text.end());
        String said = voice.said.toString();
        if (!claim.text().startsWith(said)) {
          throw new IllegalStateException(
              "The result's text is not the text that was streamed. This is a mistake in the work.");
        }
        add(claim.model(), voice, claim.text().substring(said.length()));
      }
      return drained();
    } finally {
      lock.unlock();
    }
  }

  private List<StreamFrame> drained() {
    List<StreamFrame> drained = List.copyOf(waiting);
    waiting.clear();
    lastOf.clear();
    return drained;
  }

  private static List<Claim> claims(ObjectNode result) {
    List<Claim> claims = new ArrayList<>();
    if (result.path("text").isTextual()) {
      claims.add(new Claim(NO_MODEL, result.path("text").asText()));
    }
    for (JsonNode answer : result.path("answers")) {
      if (answer.path("model").isTextual() && answer.path("text").isTextual()) {
        claims.add(new Claim(answer.path("model").asText(), answer.path("text").asText()));
      }
    }
    return claims;
  }
}
