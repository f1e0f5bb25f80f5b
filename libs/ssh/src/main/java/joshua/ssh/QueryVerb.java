package joshua.ssh;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import joshua.kernel.Json;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A verb that runs a named query, and shows its sentence and its rows. */
public abstract class QueryVerb implements Verb {
  private final String query;
  private final List<String> columns;

  @Option(names = "-n", paramLabel = "N", description = "How many rows, 200 at most.")
  private @Nullable Integer limit;

  /** A verb that shows these columns of a query's rows, the longest last. */
  protected QueryVerb(String query, String... columns) {
    this.query = query;
    this.columns = List.of(columns);
  }

  /** Adds the arguments of the query; null for those that aren't given. */
  protected void arguments(ObjectNode arguments) {}

  @Override
  public void run(VerbSession session) throws VerbFailedException, InterruptedException {
    ObjectNode input = Json.object().put("name", query);
    ObjectNode arguments = input.putObject("arguments").put("limit", limit);
    arguments(arguments);
    ObjectNode answer = session.call(session.service() + "_query", input);
    session.out().answer(answer, "rows", columns);
  }
}
