package joshua.horace.project;

import java.util.Objects;
import joshua.horace.change.Answer;
import joshua.horace.change.ChangeLog;
import joshua.horace.change.Request;
import joshua.kernel.ErrorCode;
import joshua.kernel.Identifiers;
import joshua.network.Name;
import joshua.network.SchemaHint;
import joshua.network.ToolResult;
import joshua.state.Database;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/** The projects, each with documents of its own. */
public record Projects(Database database) {
  private static final int MAX_PROJECTS = 1_000;
  private static final int MAX_ID = 64;

  /** The input of {@code project_create}. */
  public record Create(
      @SchemaHint(value = "For people", min = 1, max = 200) String name,
      @SchemaHint("Its id; 001, 002 … if left out") @Nullable String project,
      @Name @Nullable String clientId)
      implements Request.Input {
    @Override
    public boolean isAboutNewProject() {
      return true;
    }
  }

  public ToolResult create(Request by, Create input) {
    if (input.project() != null
        && (input.project().length() > MAX_ID || !Identifiers.isName(input.project()))) {
      return Answer.invalid("project", Identifiers.NAME_RULE.replace("128", "" + MAX_ID));
    }
    return database.write(tx -> {
      String id = Objects.requireNonNullElseGet(input.project(), () -> next(tx));
      if (tx.number("select count(*) from project where id = ?", id) > 0) {
        String sentence = "There is a project %s already.".formatted(id);
        return Answer.refused(ErrorCode.CONFLICT, sentence);
      } else if (tx.number("select count(*) from project") >= MAX_PROJECTS) {
        String sentence = "There are %d projects, which is the most.".formatted(MAX_PROJECTS);
        return Answer.refused(ErrorCode.OVERLOADED, sentence);
      }
      Request within = by.in(id);
      tx.update(
          "insert into project values (?, ?, 'empty', 0, ?, ?)",
          id,
          input.name(),
          by.author(),
          by.at());
      long change = ChangeLog.add(tx, within, "project", id, null, "create", input.name(), null);
      return Answer.of(within.changed(change));
    });
  }

  private static String next(Transaction tx) {
    return "%03d"
        .formatted(
            1
                + tx.number(
                    "select max(cast(id as integer)) from project where id not glob '*[^0-9]*'"));
  }
}
