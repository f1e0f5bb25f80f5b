package joshua.app;

import java.util.ArrayList;
import java.util.List;

/** A call that can't be carried out as written. Ends the program with exit status 2. */
public final class UsageException extends Exception {
  public static final int EXIT_STATUS = 2;
  private static final long serialVersionUID = 1L;
  private final ArrayList<String> problems;

  /**
   * @param problems one sentence each, everything that is wrong with the call
   */
  public UsageException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = new ArrayList<>(problems);
  }

  List<String> problems() {
    return List.copyOf(problems);
  }
}
