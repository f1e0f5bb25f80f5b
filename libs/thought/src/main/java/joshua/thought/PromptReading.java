package joshua.thought;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** What a {@link PromptReader} takes a prompt for. */
public sealed interface PromptReading {
  /**
   * The prompt asks for one query.
   *
   * @param readAs how it was read, as the answer says it: "the failed tasks of alice since noon"
   */
  record Asked(String query, ObjectNode arguments, String readAs) implements PromptReading {}

  /**
   * The prompt is answered by fixed text: help.
   *
   * @param lines the answer, a line each, without line ends
   */
  record Said(List<String> lines, String readAs) implements PromptReading {
    public Said {
      lines = List.copyOf(lines);
    }
  }

  /**
   * The prompt wants something done, which no reader does: it is refused, and told how to do it.
   *
   * @param sentences the refusal first
   */
  record Declined(List<String> sentences, String readAs) implements PromptReading {
    public Declined {
      sentences = List.copyOf(sentences);
    }
  }

  /**
   * The reader can't make anything of the prompt: the next stage's turn.
   *
   * @param nearest questions that it could answer and that are most like this one, nearest first
   */
  record PassedOn(List<String> nearest) implements PromptReading {
    public PassedOn {
      nearest = List.copyOf(nearest);
    }

    public PassedOn() {
      this(List.of());
    }
  }
}
