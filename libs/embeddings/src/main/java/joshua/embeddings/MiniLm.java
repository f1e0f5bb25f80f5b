package joshua.embeddings;

import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.embedding.onnx.allminilml6v2q.AllMiniLmL6V2QuantizedEmbeddingModel;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The model all-MiniLM-L6-v2, quantized, in this process: loaded on first use or by {@link #load},
 * never in a constructor. {@code lock} guards the model and what kept it from being loaded, and
 * lets one text through at a time: a text takes a few milliseconds, and the model uses all cores by
 * itself.
 */
public final class MiniLm {
  public static final int DIMENSIONS = 384;

  /** Longer texts are refused; a question is far shorter. */
  public static final int MAX_CHARACTERS = 1_000;

  /** How long loading isn't retried after a failure: each attempt takes a while. */
  static final Duration LEFT_ALONE = Duration.ofMinutes(5);

  private static final Logger log = LoggerFactory.getLogger(MiniLm.class);

  private record Failure(Throwable cause, Instant until) {}

  private final Path natives;
  private final InstantSource time;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable EmbeddingModel model;
  private @Nullable Failure failure;

  /**
   * @param natives where the native libraries are unpacked, once; the first instance in a process
   *     decides for all
   */
  public MiniLm(Path natives, InstantSource time) {
    this.natives = natives;
    this.time = time;
  }

  /**
   * Loads the model unless it is loaded; takes a second or two.
   *
   * @throws IllegalStateException if it can't be loaded, for want of native libraries for this
   *     machine for instance, or couldn't be within the last {@link #LEFT_ALONE}
   */
  public void load() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      loaded();
    } finally {
      lock.unlock();
    }
  }

  /** The vector of a text, of length 1. Waits for its turn, and for the model to be loaded. */
  public float[] embed(String text) throws InterruptedException {
    if (text.isBlank() || text.length() > MAX_CHARACTERS) {
      throw new IllegalArgumentException("a text of 1 to " + MAX_CHARACTERS + " characters");
    }
    lock.lockInterruptibly();
    try {
      return loaded().embed(text).content().vector();
    } finally {
      lock.unlock();
    }
  }

  private EmbeddingModel loaded() {
    EmbeddingModel present = model;
    if (present != null) {
      return present;
    }
    Failure before = failure;
    if (before != null && time.instant().isBefore(before.until())) {
      throw unusable(before.cause());
    }
    long began = System.nanoTime();
    try {
      NativeLibraries.prepare(natives);
      EmbeddingModel fresh = new AllMiniLmL6V2QuantizedEmbeddingModel(Runnable::run);
      model = fresh;
      failure = null;
      log.info("loaded MiniLM in {} ms", (System.nanoTime() - began) / 1_000_000);
      return fresh;
    } catch (LinkageError | RuntimeException e) {
      failure = new Failure(e, time.instant().plus(LEFT_ALONE));
      throw unusable(e);
    }
  }

  private IllegalStateException unusable(Throwable cause) {
    return new IllegalStateException(
        "The embedding model could not be loaded, with its native libraries in "
            + natives
            + ". Make that directory writable, or leave the module joshua-embeddings out.",
        cause);
  }
}
