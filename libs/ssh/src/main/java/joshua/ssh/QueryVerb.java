package joshua.ssh;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Locale;
import joshua.kernel.Json;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * A verb that runs a named query, and shows its sentence and its rows. Its options and parameters
 * are the query's arguments, by the names of their fields.
 */
public abstract class QueryVerb implements Verb {
  private final String query;
  private final List<String> columns;

  @Option(names = "-n", paramLabel = "N", description = "How many rows, 200 at most.")
  @Nullable Integer limit;

  @Spec private CommandSpec spec;

  /** A verb that shows these columns of a query's rows, the longest last. */
  protected QueryVerb(String query, String... columns) {
    this.query = query;
    this.columns = List.of(columns);
  }

  /** Adds further arguments of the query; null for those that aren't given. */
  protected void arguments(ObjectNode arguments) {}

  @Override
  public void run(VerbSession session) throws VerbFailedException, InterruptedException {
    ObjectNode input = Json.object().put("name", query);
    ObjectNode arguments = input.putObject("arguments");
    for (ArgSpec each : spec.args()) {
      if (each.userObject() instanceof Field field
          && QueryVerb.class.isAssignableFrom(field.getDeclaringClass())
          && !Boolean.FALSE.equals(each.getValue())) {
        String argument = field.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
        arguments.set(argument, Json.mapper().valueToTree(each.getValue()));
      }
    }
    arguments(arguments);
    ObjectNode answer = session.call(session.service() + "_query", input);
    session.out().answer(answer, "rows", columns);
  }
}
