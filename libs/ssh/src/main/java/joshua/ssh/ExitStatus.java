package joshua.ssh;

/** The exit statuses of commands and verbs, as a shell sees them. */
public final class ExitStatus {
  public static final int OK = 0;

  /** The command was understood, but refused or failed. */
  public static final int FAILED = 1;

  /** The command was not understood. */
  public static final int USAGE = 2;

  /** The same for commands that clients run as hooks, where {@link #USAGE} has a meaning. */
  public static final int USAGE_OF_HOOK = 64;

  /** Something that the command needs isn't available now. */
  public static final int UNAVAILABLE = 69;

  /** An internal error; see the log. */
  public static final int INTERNAL = 70;

  /** The caller stopped it, for instance by Ctrl-C. */
  public static final int INTERRUPTED = 130;

  private ExitStatus() {}
}
