package joshua.ssh;

import java.util.Optional;

/**
 * The receiving end of a verb's output, which is written unchanged. Once the client has gone,
 * output is discarded and {@link #gone} is true. Used by one thread at a time.
 */
public interface AdminConsole {
  /** A terminal's size. */
  record Size(int columns, int rows) {}

  /**
   * Writes part of an answer, with {@code \n} for line ends; blocks while the client is slow to
   * read.
   */
  void out(String text);

  /** Writes what isn't part of the answer: problems, remarks. */
  void err(String text);

  /** Whether the client no longer reads. */
  boolean gone();

  /** The current size of the terminal; empty if a program reads the output. */
  Optional<Size> terminal();

  /** Whether colours can be displayed and are wanted. */
  default boolean colours() {
    return terminal().isPresent();
  }
}
