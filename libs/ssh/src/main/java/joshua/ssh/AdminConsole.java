package joshua.ssh;

import java.util.Optional;

/**
 * The other end of a verb: where its output goes, as it is. Once nobody reads any more, what is
 * written goes nowhere and {@link #gone} is true. Used by one thread at a time.
 */
public interface AdminConsole {
  /** A terminal's size. */
  record Size(int columns, int rows) {}

  /** Writes an answer, with {@code \n} for line ends; waits while the other end is slow to read. */
  void out(String text);

  /** Writes what isn't the answer: problems, remarks. */
  void err(String text);

  /** Whether nobody reads any more. */
  boolean gone();

  /** How large the terminal is now; empty if what is written is read by a program. */
  Optional<Size> terminal();

  /** Whether colours can be seen, and are wanted. */
  default boolean colours() {
    return terminal().isPresent();
  }
}
