package joshua.horace.change;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.network.RefusalException;
import joshua.state.Database;
import joshua.state.Job;

/** A refusal; it is thrown before the first change of what it refuses. */
public final class Refused extends RefusalException {
  private static final long serialVersionUID = 1;

  public Refused(Refusal refusal) {
    super(refusal, null);
  }

  public static Refused of(ErrorCode code, String sentence) {
    return new Refused(Refusal.of(code, sentence));
  }

  public static Refused conflict(String sentence) {
    return of(ErrorCode.CONFLICT, sentence);
  }

  public static Refused notFound(String sentence) {
    return of(ErrorCode.NOT_FOUND, sentence);
  }

  public static Refused tooLarge(String sentence) {
    return of(ErrorCode.TOO_LARGE, sentence);
  }

  public static Refused invalid(String sentence) {
    return of(ErrorCode.INVALID_INPUT, sentence);
  }

  /** Writes; a refusal is returned from the job, so that other jobs of its batch stand. */
  public static ObjectNode orWritten(Database database, Job<ObjectNode> job) {
    Object done =
        database.write(tx -> {
          try {
            return job.run(tx);
          } catch (RefusalException e) {
            return e;
          }
        });
    if (done instanceof RefusalException e) {
      throw e;
    }
    return (ObjectNode) done;
  }
}
