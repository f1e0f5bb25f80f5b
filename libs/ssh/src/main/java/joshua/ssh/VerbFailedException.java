package joshua.ssh;

/** Why a verb failed; only the sentence is shown. */
public final class VerbFailedException extends Exception {
  private static final long serialVersionUID = 1L;
  private final ExitStatus status;

  private VerbFailedException(ExitStatus status, String sentence) {
    super(sentence);
    this.status = status;
  }

  /** The command was understood, and was refused or failed. */
  public static VerbFailedException refused(String sentence) {
    return new VerbFailedException(ExitStatus.REFUSED, sentence);
  }

  /** The command can't be carried out as written. */
  public static VerbFailedException misuse(String sentence) {
    return new VerbFailedException(ExitStatus.USAGE, sentence);
  }

  /** Something that it needs isn't available now. */
  public static VerbFailedException unavailable(String sentence) {
    return new VerbFailedException(ExitStatus.UNAVAILABLE, sentence);
  }

  public ExitStatus status() {
    return status;
  }

  public String sentence() {
    return String.valueOf(getMessage());
  }
}
