package joshua.thought;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import joshua.state.query.NamedQuery;

/** What a prompt means, as far as it can be read without a model. */
public sealed interface Reading {
  /** Somebody wants to know what can be asked. */
  record Help() implements Reading {}

  /** A query. */
  record Ask(NamedQuery query, ObjectNode arguments) implements Reading {
    /** The exact command that means the same. */
    public String command() {
      return arguments.properties().stream()
          .map(argument -> " %s=%s".formatted(argument.getKey(), argument.getValue().asText()))
          .collect(Collectors.joining("", query.name(), ""));
    }
  }

  /** Something else; of the nearest commands, a single one is meant, but for its arguments. */
  record Unread(List<NamedQuery> suggestions) implements Reading {}
}
