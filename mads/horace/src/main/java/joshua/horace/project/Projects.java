package joshua.horace.project;

import static java.util.Objects.requireNonNullElse;
import static java.util.Objects.requireNonNullElseGet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import joshua.horace.change.Answer;
import joshua.horace.change.ChangeLog;
import joshua.horace.change.Request;
import joshua.horace.document.Documents;
import joshua.horace.yaml.YamlWriter;
import joshua.kernel.ErrorCode;
import joshua.kernel.Identifiers;
import joshua.kernel.Json;
import joshua.kernel.Timestamps;
import joshua.network.Name;
import joshua.network.SchemaHint;
import joshua.network.ToolResult;
import joshua.state.Classpath;
import joshua.state.Database;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/** The projects, each with documents of its own. */
public record Projects(Database database, InstantSource time, Documents documents) {
  /** The project of calls that Diverga's programs make. */
  public static final String DIVERGA = "diverga";

  private static final int MAX_PROJECTS = 1_000;
  private static final int MAX_ID = 64;

  /** The documents that a project begins with, beside this class. */
  public enum Template {
    EMPTY,
    AD_SDLC,
    DIVERGA;

    private List<String> paths() {
      return switch (this) {
        case EMPTY -> List.of();
        case AD_SDLC -> List.of("rules/phases.json", "rules/schemas.json");
        case DIVERGA -> List.of("rules/agents.json");
      };
    }
  }

  /** The input of {@code project_create}. */
  public record Create(
      @SchemaHint(value = "For people", min = 1, max = 200) String name,
      @SchemaHint("Its id; 001, 002 … if left out") @Nullable String project,
      @SchemaHint("The rules of a process to begin with") @Nullable Template template,
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
    Template template = requireNonNullElse(input.template(), Template.EMPTY);
    return database.write(tx -> {
      String id = requireNonNullElseGet(input.project(), () -> next(tx));
      if (tx.number("select count(*) from project where id = ?", id) > 0) {
        String sentence = "There is a project %s already.".formatted(id);
        return Answer.refused(ErrorCode.CONFLICT, sentence);
      } else if (tx.number("select count(*) from project") >= MAX_PROJECTS) {
        String sentence = "There are %d projects, which is the most.".formatted(MAX_PROJECTS);
        return Answer.refused(ErrorCode.OVERLOADED, sentence);
      }
      return create(tx, by.in(id), input.name(), template);
    });
  }

  private ToolResult create(Transaction tx, Request by, String name, Template template) {
    tx.update(
        "insert into project values (?, ?, ?, 0, ?, ?)",
        by.project(),
        name,
        template.name().toLowerCase(Locale.ROOT),
        by.author(),
        by.at());
    long change = ChangeLog.add(tx, by, "project", by.project(), null, "create", name, null);
    for (String path : template.paths()) {
      String file = "%s/%s".formatted(template.name().toLowerCase(Locale.ROOT), path);
      documents.overwrite(tx, by, path, Classpath.read(Projects.class, file));
    }
    if (template == Template.AD_SDLC) {
      String now = Timestamps.format(by.at());
      ObjectNode info =
          Json.object()
              .put("projectId", by.project())
              .put("name", name)
              .put("createdAt", now)
              .put("updatedAt", now)
              .put("status", "active");
      documents.overwrite(tx, by, "info/project.yaml", YamlWriter.write(info));
    }
    return Answer.of(by.changed(change));
  }

  /** Begins the project of Diverga's tools, if it isn't there. */
  public void createDiverga() {
    Request by =
        new Request("horace", DIVERGA, UUID.randomUUID(), time.instant(), Integer.MAX_VALUE, "now");
    database.write(tx -> {
      boolean absent = tx.number("select count(*) from project where id = ?", DIVERGA) == 0;
      return absent && create(tx, by, "Diverga", Template.DIVERGA) instanceof ToolResult.Success;
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
