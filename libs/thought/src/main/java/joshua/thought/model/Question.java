package joshua.thought.model;

import java.util.List;
import java.util.Optional;

/**
 * A question to a model.
 *
 * @param turns of the conversation before, the oldest first
 * @param scope the only requester whose rows the asker may see; empty for all
 */
public record Question(String prompt, String asker, List<Turn> turns, Optional<String> scope) {
  /** An earlier prompt of the conversation, and its answer. */
  public record Turn(String prompt, String answer) {}
}
