package joshua.thought;

import java.util.List;
import java.util.Optional;

/** What looks whether the wording of an answer is borne out by its evidence (+RG-16). */
@FunctionalInterface
public interface AnswerVerification {
  /** The first number, time or name of {@code text} that no row holds; empty if all are held. */
  Optional<String> unfounded(String text, List<Evidence> evidence);
}
