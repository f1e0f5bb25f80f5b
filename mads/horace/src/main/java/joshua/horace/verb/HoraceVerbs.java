package joshua.horace.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.ssh.QueryVerb;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs of Horace. */
public final class HoraceVerbs {
  /** All of them, in the order in which people see them. */
  public static final List<Class<? extends Verb>> ALL =
      List.of(
          Brief.class,
          ProjectList.class,
          ProjectCreate.class,
          DocumentList.class,
          Read.class,
          Versions.class,
          ChangeList.class,
          LockList.class,
          DecisionList.class,
          CheckpointList.class,
          ExportProject.class,
          SessionList.class,
          ThoughtList.class);

  private HoraceVerbs() {}

  /** Shows a member of a tool's answer. */
  private static void show(VerbSession session, String tool, ObjectNode input, String member)
      throws VerbFailedException, InterruptedException {
    ObjectNode answer = session.call(tool, input);
    session.out().json(answer);
    session.out().text(answer.path(member).asText());
  }

  /** A verb that shows the rows of a query about a project. */
  abstract static class OfProject extends QueryVerb {
    @Option(names = "--project", paramLabel = "ID", description = "Which; default if left out.")
    @Nullable String project;

    OfProject(String query, String... columns) {
      super(query, columns);
    }
  }

  @Command(name = "briefing", description = "Shows what to know first of a project.")
  static final class Brief implements Verb {
    @Parameters(arity = "0..1", paramLabel = "PROJECT", description = "default if left out.")
    private @Nullable String project;

    @Override
    public void run(VerbSession session) throws VerbFailedException, InterruptedException {
      show(session, "project_briefing", Json.object().put("project", project), "briefing");
    }
  }

  @Command(name = "projects", description = "Lists the projects of shared memory.")
  static final class ProjectList extends QueryVerb {
    ProjectList() {
      super("projects", "project", "documents", "changed_at", "created_by", "name");
    }
  }

  @Command(name = "project-create", description = "Begins a project.")
  static final class ProjectCreate implements Verb {
    @Parameters(index = "0", paramLabel = "ID", description = "By which tools name it.")
    private String id;

    @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "For people.")
    private @Nullable String name;

    @Override
    public Role role() {
      return Role.OPERATOR;
    }

    @Override
    public void run(VerbSession session) throws VerbFailedException, InterruptedException {
      ObjectNode input =
          Json.object()
              .put("project", id)
              .put("name", name == null ? id : name)
              .put("client_id", session.person());
      session.out().json(session.call("project_create", input));
      session.out().line("The project %s is there.".formatted(id));
    }
  }

  @Command(name = "documents", description = "Lists the documents of a project.")
  static final class DocumentList extends OfProject {
    @Parameters(arity = "0..1", paramLabel = "PREFIX", description = "Only such paths.")
    @Nullable String prefix;

    DocumentList() {
      super("documents", "path", "version", "author", "at", "bytes", "note");
    }
  }

  @Command(name = "read", description = "Shows a document.")
  static final class Read implements Verb {
    @Parameters(paramLabel = "PATH", description = "progress/plan.md")
    private String path;

    @Option(names = "--project", paramLabel = "ID", description = "Which; default if left out.")
    private @Nullable String project;

    @Option(names = "--version", paramLabel = "N", description = "The current one if left out.")
    private @Nullable Integer version;

    @Override
    public void run(VerbSession session) throws VerbFailedException, InterruptedException {
      ObjectNode input =
          Json.object().put("path", path).put("project", project).put("version", version);
      show(session, "document_read", input, "content");
    }
  }

  @Command(name = "versions", description = "Lists the kept versions of a document.")
  static final class Versions extends OfProject {
    @Parameters(paramLabel = "PATH", description = "progress/plan.md")
    String path;

    Versions() {
      super("history", "version", "action", "author", "at", "bytes", "note");
    }
  }

  @Command(name = "changes", description = "Shows what changed in a project, newest first.")
  static final class ChangeList extends OfProject {
    @Option(names = "--since", paramLabel = "N", description = "Only after this change.")
    @Nullable Integer since;

    ChangeList() {
      super("changes", "change", "at", "author", "action", "subject", "note");
    }
  }

  @Command(name = "locks", description = "Lists the documents that somebody holds a lock on.")
  static final class LockList extends OfProject {
    LockList() {
      super("locks", "path", "holder", "since_at", "fence", "note");
    }
  }

  @Command(name = "decisions", description = "Lists the decisions of a project, oldest first.")
  static final class DecisionList extends OfProject {
    @Option(names = "--after", paramLabel = "ID", description = "Only behind this one.")
    @Nullable String afterId;

    DecisionList() {
      super("decisions", "decision_id", "checkpoint_id", "author", "at", "selected");
    }
  }

  @Command(name = "checkpoints", description = "Lists the marked checkpoints of a project.")
  static final class CheckpointList extends OfProject {
    CheckpointList() {
      super("checkpoints", "id", "status", "level", "author", "at", "decision");
    }
  }

  @Command(name = "export", description = "Writes a project as YAML, or as JSON.")
  static final class ExportProject implements Verb {
    @Parameters(paramLabel = "PROJECT", description = "Its id.")
    private String project;

    @Option(names = "--json", description = "As JSON, which import takes in in parts.")
    private boolean json;

    @Override
    public void run(VerbSession session) throws VerbFailedException, InterruptedException {
      ObjectNode input =
          Json.object().put("project", project).put("format", json ? "json" : "yaml");
      show(session, "project_export", input, "content");
    }
  }

  @Command(name = "sessions", description = "Lists the trains of thought of a project.")
  static final class SessionList extends OfProject {
    SessionList() {
      super("sessions", "session", "updated_at", "author", "status", "thoughts", "name");
    }
  }

  @Command(name = "thoughts", description = "Shows a train of thought, newest first.")
  static final class ThoughtList extends QueryVerb {
    @Parameters(paramLabel = "ID", description = "Which, of sessions.")
    String session;

    @Option(names = "--mermaid", description = "As a graph in Mermaid's language.")
    private boolean mermaid;

    ThoughtList() {
      super("thoughts", "number", "at", "author", "branch", "thought");
    }

    @Override
    public void run(VerbSession caller) throws VerbFailedException, InterruptedException {
      ObjectNode input = Json.object().put("sessionId", session).put("format", "mermaid");
      if (mermaid) {
        show(caller, "visualize", input.put("showContent", true), "content");
      } else {
        super.run(caller);
      }
    }
  }
}
