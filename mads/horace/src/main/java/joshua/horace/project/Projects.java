package joshua.horace.project;

import static java.util.Objects.requireNonNullElse;
import static java.util.Objects.requireNonNullElseGet;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import joshua.horace.change.ChangeLog;
import joshua.horace.change.Refused;
import joshua.horace.change.Request;
import joshua.horace.change.Request.Scope;
import joshua.horace.document.Documents;
import joshua.horace.document.Format;
import joshua.horace.yaml.YamlWriter;
import joshua.kernel.ErrorCode;
import joshua.kernel.Identifiers;
import joshua.kernel.Json;
import joshua.kernel.Timestamps;
import joshua.network.SchemaHint;
import joshua.state.Classpath;
import joshua.state.Database;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/** The projects, each with documents of its own. */
public record Projects(Database database, InstantSource time, Documents documents) {
  /** The project of calls that Diverga's programs make. */
  public static final String DIVERGA = "diverga";

  private static final int MAX_ID = 64;
  private static final int MAX_PROJECTS = 1_000;

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

  /** The input of {@code project_create}; the project is the new one's id. */
  public record Create(
      @SchemaHint(value = "For people", min = 1, max = 200) String name,
      @SchemaHint("The rules of a process to begin with") @Nullable Template template,
      @JsonUnwrapped Scope scope)
      implements Request.Input {
    @Override
    public boolean needsProject() {
      return false;
    }
  }

  public ObjectNode create(Request by, Create input) {
    String wanted = input.scope().project();
    if (wanted != null && (wanted.length() > MAX_ID || !Identifiers.isName(wanted))) {
      throw Refused.invalid("project %s", Identifiers.NAME_RULE.replace("128", "" + MAX_ID));
    }
    Template template = requireNonNullElse(input.template(), Template.EMPTY);
    return Refused.orWritten(
        database,
        tx -> {
          String id = requireNonNullElseGet(wanted, () -> next(tx));
          if (isThere(tx, id)) {
            throw Refused.conflict("There is a project %s already.", id);
          } else if (tx.number("select count(*) from project") >= MAX_PROJECTS) {
            throw Refused.of(ErrorCode.OVERLOADED, "There are %d projects already.", MAX_PROJECTS);
          }
          return create(tx, by.in(id), input.name(), template);
        });
  }

  /** What an answer about a project says, if there is no such project. */
  public List<String> caveats(JsonNode id) {
    return id.isMissingNode() || database.read(tx -> isThere(tx, id.asText()))
        ? List.of()
        : List.of("There is no project %s.".formatted(id.asText()));
  }

  private static boolean isThere(Transaction tx, String id) {
    return tx.number("select count(*) from project where id = ?", id) > 0;
  }

  private ObjectNode create(Transaction tx, Request by, String name, Template template) {
    String id = by.project();
    String folder = template.name().toLowerCase(Locale.ROOT);
    Object[] row = {id, name, folder, by.author(), by.at()};
    tx.update("insert into project values (?, ?, ?, 0, ?, ?)", row);
    long change = ChangeLog.add(tx, by, ChangeLog.Kind.PROJECT, id, "create", name);
    for (String path : template.paths()) {
      String content = Classpath.read(Projects.class, folder + "/" + path);
      documents.overwrite(tx, by, path, Format.JSON, content, null);
    }
    if (template == Template.AD_SDLC) {
      String now = Timestamps.format(by.at());
      ObjectNode info = Json.object().put("projectId", id).put("name", name);
      info.put("createdAt", now).put("updatedAt", now).put("status", "active");
      documents.overwrite(tx, by, "info/project.yaml", Format.YAML, YamlWriter.write(info), null);
    }
    return by.changed(change);
  }

  /** Begins the project of Diverga's tools, if it isn't there. */
  public void createDiverga() {
    Request by = Request.of("horace", DIVERGA, time.instant());
    database.write(
        tx -> isThere(tx, DIVERGA) ? by.answer() : create(tx, by, "Diverga", Template.DIVERGA));
  }

  private static String next(Transaction tx) {
    String last = "select max(cast(id as integer)) from project where id not glob '*[^0-9]*'";
    return "%03d".formatted(1 + tx.number(last));
  }
}
