package joshua.thought;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import joshua.state.query.NamedQuery;

/** The meaning of a prompt, as far as it can be parsed without a model. */
public sealed interface ParsedPrompt {
  /** A request for help. */
  record Help() implements ParsedPrompt {}

  /** A query. */
  record Ask(NamedQuery query, ObjectNode arguments) implements ParsedPrompt {
    /** The equivalent exact command. */
    public String command() {
      return arguments.properties().stream()
          .map(argument -> " %s=%s".formatted(argument.getKey(), argument.getValue().asText()))
          .collect(Collectors.joining("", query.name(), ""));
    }
  }

  /** Anything else; a single suggestion is the right command with wrong arguments. */
  record Unrecognized(List<NamedQuery> suggestions) implements ParsedPrompt {}
}
