package joshua.ssh;

/** What a verb ends with, as a shell sees it. */
public enum ExitStatus {
  OK(0),
  /** It was understood and refused, or it failed. */
  REFUSED(1),
  /** It was not understood. */
  USAGE(2),
  /** Something that it needs isn't there now. */
  UNAVAILABLE(69),
  /** A mistake of ours; the log has it. */
  MISTAKE(70),
  /** Whoever ran it stopped it, by Ctrl-C for instance. */
  INTERRUPTED(130);

  private final int number;

  ExitStatus(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }
}
