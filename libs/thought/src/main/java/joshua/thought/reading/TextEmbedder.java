package joshua.thought.reading;

/** Computes the embedding vector of a short text. Thread-safe. */
@FunctionalInterface
public interface TextEmbedder {
  /**
   * The vector, of length 1 and always of the same number of dimensions.
   *
   * @throws InterruptedException if interrupted while waiting for its turn, or for the model to
   *     load
   */
  float[] embed(String text) throws InterruptedException;
}
