package joshua.thought;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** A {@link PromptReader}'s interpretation of a prompt. */
public sealed interface PromptReading {
  /**
   * The prompt asks for one query.
   *
   * @param readAs how it was read, as the answer states it: "the failed tasks of alice since noon"
   */
  record Asked(String query, ObjectNode arguments, String readAs) implements PromptReading {}

  /**
   * The prompt is answered by fixed text: help.
   *
   * @param lines the answer, one line each, without line ends
   */
  record Said(List<String> lines, String readAs) implements PromptReading {
    public Said {
      lines = List.copyOf(lines);
    }
  }

  /**
   * The prompt asks for an action, which readers never perform: it is refused, with instructions.
   *
   * @param sentences the refusal first
   */
  record Declined(List<String> sentences, String readAs) implements PromptReading {
    public Declined {
      sentences = List.copyOf(sentences);
    }
  }

  /**
   * The reader doesn't understand the prompt; the next stage takes over.
   *
   * @param nearest the questions most like this one that it could answer, nearest first
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
