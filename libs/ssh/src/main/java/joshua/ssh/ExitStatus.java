package joshua.ssh;

/** The exit status of a verb, as a shell sees it. */
public enum ExitStatus {
  OK(0),
  /** The command was understood and refused, or it failed. */
  REFUSED(1),
  /** The command was not understood. */
  USAGE(2),
  /** Something that it needs isn't available now. */
  UNAVAILABLE(69),
  /** An internal error; see the log. */
  MISTAKE(70),
  /** The caller stopped it, for instance by Ctrl-C. */
  INTERRUPTED(130);

  private final int number;

  ExitStatus(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }
}
