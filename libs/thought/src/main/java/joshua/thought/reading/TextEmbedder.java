package joshua.thought.reading;

/** Turns a short text into a vector of its meaning. Safe for many threads. */
@FunctionalInterface
public interface TextEmbedder {
  /**
   * The vector, of length 1 and always of the same number of dimensions.
   *
   * @throws InterruptedException while it waited for its turn, or for the model to be loaded
   */
  float[] embed(String text) throws InterruptedException;
}
