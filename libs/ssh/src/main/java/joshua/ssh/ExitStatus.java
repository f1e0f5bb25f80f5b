package joshua.ssh;

/** The exit statuses of commands and verbs, as a shell sees them. */
public final class ExitStatus {
  public static final int OK = 0;

  /** It was understood and refused, or it failed. */
  public static final int FAILED = 1;

  /** It was not understood. */
  public static final int USAGE = 2;

  /** The same of what clients run as a hook, which take {@link #USAGE} for a message to them. */
  public static final int USAGE_OF_HOOK = 64;

  /** Something that it needs isn't available now. */
  public static final int UNAVAILABLE = 69;

  /** An internal error; see the log. */
  public static final int INTERNAL = 70;

  /** The caller stopped it, for instance by Ctrl-C. */
  public static final int INTERRUPTED = 130;

  private ExitStatus() {}
}
