package joshua.thought;

import java.util.List;
import java.util.Optional;

/** A check that the wording of an answer is supported by its evidence (+RG-16). */
@FunctionalInterface
public interface AnswerVerification {
  /** The first number, time or name of {@code text} that isn't in any row; empty if all are. */
  Optional<String> unfounded(String text, List<Evidence> evidence);
}
