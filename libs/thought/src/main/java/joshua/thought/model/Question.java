package joshua.thought.model;

import java.util.List;
import java.util.Optional;

/**
 * What a model is asked.
 *
 * @param turns of the conversation so far, the oldest first
 * @param scope the only requester whose rows the asker may see; empty for all
 */
public record Question(String prompt, String asker, List<Turn> turns, Optional<String> scope) {
  /** What somebody asked earlier in a conversation, and was answered. */
  public record Turn(String prompt, String answer) {}
}
