package joshua.ssh;

/** Why a verb didn't do what it was asked to; the sentence is all that is shown. */
public final class VerbFailed extends Exception {
  private static final long serialVersionUID = 1L;
  private final ExitStatus status;

  private VerbFailed(ExitStatus status, String sentence) {
    super(sentence);
    this.status = status;
  }

  /** It was understood, and refused or failed. */
  public static VerbFailed refused(String sentence) {
    return new VerbFailed(ExitStatus.REFUSED, sentence);
  }

  /** It can't be carried out as it was written. */
  public static VerbFailed misuse(String sentence) {
    return new VerbFailed(ExitStatus.USAGE, sentence);
  }

  /** Something that it needs isn't there now. */
  public static VerbFailed unavailable(String sentence) {
    return new VerbFailed(ExitStatus.UNAVAILABLE, sentence);
  }

  public ExitStatus status() {
    return status;
  }

  public String sentence() {
    return String.valueOf(getMessage());
  }
}
