package joshua.ssh;

/** Why a verb didn't do what it was asked to; the sentence is all that is shown. */
public final class VerbFailedException extends Exception {
  private static final long serialVersionUID = 1L;
  private final ExitStatus status;

  private VerbFailedException(ExitStatus status, String sentence) {
    super(sentence);
    this.status = status;
  }

  /** It was understood, and refused or failed. */
  public static VerbFailedException refused(String sentence) {
    return new VerbFailedException(ExitStatus.REFUSED, sentence);
  }

  /** It can't be carried out as it was written. */
  public static VerbFailedException misuse(String sentence) {
    return new VerbFailedException(ExitStatus.USAGE, sentence);
  }

  /** Something that it needs isn't there now. */
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
