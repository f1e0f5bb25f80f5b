package joshua.horace.thinking;

import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.network.RefusalException;

/** A refusal; inside a job of the database it is caught there, so that it ends no other job. */
final class Refused extends RefusalException {
  private static final long serialVersionUID = 1;

  Refused(ErrorCode code, String sentence) {
    super(Refusal.of(code, sentence), null);
  }

  static Refused conflict(String sentence) {
    return new Refused(ErrorCode.CONFLICT, sentence);
  }

  static Refused notFound(String sentence) {
    return new Refused(ErrorCode.NOT_FOUND, sentence);
  }

  static Refused invalid(String sentence) {
    return new Refused(ErrorCode.INVALID_INPUT, sentence);
  }
}
