package joshua.horace.change;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.network.RefusalException;
import joshua.state.Database;
import joshua.state.Job;
import org.jspecify.annotations.Nullable;

/** A refusal; it is thrown before the first change of what it refuses. */
public final class Refused extends RefusalException {
  private static final long serialVersionUID = 1;

  /** A refusal that says more than its sentence. */
  public Refused(Refusal refusal) {
    super(refusal, null);
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation is of a library that we don't use
  public static Refused of(ErrorCode code, String sentence, @Nullable Object... arguments) {
    return new Refused(Refusal.of(code, sentence.formatted(arguments)));
  }

  public static Refused conflict(String sentence, @Nullable Object... arguments) {
    return of(ErrorCode.CONFLICT, sentence, arguments);
  }

  public static Refused notFound(String sentence, @Nullable Object... arguments) {
    return of(ErrorCode.NOT_FOUND, sentence, arguments);
  }

  public static Refused tooLarge(String sentence, @Nullable Object... arguments) {
    return of(ErrorCode.TOO_LARGE, sentence, arguments);
  }

  public static Refused invalid(String sentence, @Nullable Object... arguments) {
    return of(ErrorCode.INVALID_INPUT, sentence, arguments);
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
