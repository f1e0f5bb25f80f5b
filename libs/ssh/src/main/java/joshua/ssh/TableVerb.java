package joshua.ssh;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import joshua.kernel.Json;

/** A verb that calls a tool without input, and shows a list and the note of its result. */
public abstract class TableVerb implements Verb {
  private final String tool;
  private final String member;
  private final List<String> columns;

  /** A verb that shows these columns of a member of the tool's answer, the longest last. */
  protected TableVerb(String tool, String member, String... columns) {
    this.tool = tool;
    this.member = member;
    this.columns = List.of(columns);
  }

  @Override
  public final void run(VerbSession session) throws VerbFailedException, InterruptedException {
    ObjectNode answer = session.call(tool, Json.object());
    session.out().rows(columns, answer.path(member));
    if (answer.has("note")) {
      session.out().note(answer.path("note").asText());
    }
  }
}
