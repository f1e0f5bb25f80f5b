package joshua.horace.document;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import joshua.horace.change.Answer;
import joshua.horace.change.ChangeLog;
import joshua.horace.change.Request;
import joshua.horace.document.VersionStore.Draft;
import joshua.horace.document.VersionStore.Guard;
import joshua.horace.document.VersionStore.Version;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.network.Name;
import joshua.network.SchemaHint;
import joshua.network.ToolResult;
import joshua.state.Database;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/** Moments of a project, whose documents are kept and can be restored as new versions. */
public record Snapshots(Database database, Documents documents) {
  private static final String KIND = "snapshot";
  private static final int MAX_KEPT = 10;

  /** Why there is a snapshot; of each reason the newest are kept. */
  private enum Reason {
    ASKED,
    UNDO
  }

  /** The input of {@code project_snapshot}. */
  public record Take(
      @SchemaHint(value = "What it is of, for people", max = 200) @Nullable String label,
      @Nullable String project,
      @Name @Nullable String clientId)
      implements Request.Input {}

  /** The input of {@code project_restore}. */
  public record Restore(long snapshot, @Nullable String project, @Name @Nullable String clientId)
      implements Request.Input {}

  public ToolResult take(Request by, Take input) {
    return database.write(tx -> {
      long change = ChangeLog.add(tx, by, KIND, by.project(), null, "take", input.label(), null);
      long id = add(tx, by, input.label(), Reason.ASKED, change);
      return Answer.of(by.changed(change).put("snapshot", id));
    });
  }

  private static long add(
      Transaction tx, Request by, @Nullable String label, Reason reason, long change) {
    long id =
        tx.number(
            """
            insert into snapshot (project, label, reason, change, author, at)
            values (?, ?, ?, ?, ?, ?) returning id
            """,
            by.project(),
            label,
            reason,
            change,
            by.author(),
            by.at());
    tx.update(
        """
        delete from snapshot where project = ?1 and reason = ?2 and id not in (
          select id from snapshot where project = ?1 and reason = ?2 order by id desc limit ?3)
        """,
        by.project(),
        reason,
        MAX_KEPT);
    return id;
  }

  private record Then(String path, long version) {}

  /** Makes all documents what they were, after a snapshot of what they are. */
  public ToolResult restore(Request by, Restore input) {
    return database.write(tx -> {
      Optional<Long> change =
          tx.row(
              Long.class,
              "select change from snapshot where id = ? and project = ?",
              input.snapshot(),
              by.project());
      if (change.isEmpty()) {
        String sentence =
            "There is no snapshot %d; snapshots in horace_query lists what is kept."
                .formatted(input.snapshot());
        return Answer.refused(ErrorCode.NOT_FOUND, sentence);
      }
      List<Then> then =
          tx.rows(
              Then.class,
              """
              select path, max(version) from document_version
              where project = ? and change <= ? group by path
              """,
              by.project(),
              change.get());
      Set<String> now =
          new TreeSet<>(
              tx.rows(
                  String.class,
                  "select path from document where project = ? and deleted = 0",
                  by.project()));
      for (String path : now) {
        Optional<Refusal> locked = documents.versions().locks().refuse(tx, by, path, null);
        if (locked.isPresent()) {
          return new ToolResult.Refused(locked.get());
        }
      }
      long undone =
          ChangeLog.add(tx, by, KIND, by.project(), input.snapshot(), "restore", null, null);
      long undo = add(tx, by, null, Reason.UNDO, undone);
      ObjectNode answer = by.changed(undone).put("undo", undo);
      ArrayNode restored = answer.putArray("restored");
      ArrayNode removed = answer.putArray("removed");
      for (Then each : then) {
        Version old =
            VersionStore.find(tx, by.project(), each.path(), each.version()).orElseThrow();
        boolean same =
            VersionStore.find(tx, by.project(), each.path(), null)
                .filter(it -> !it.isDeleted() && it.content().equals(old.content()))
                .isPresent();
        if (!old.isDeleted()) {
          now.remove(each.path());
        }
        if (!old.isDeleted() && !same) {
          documents
              .versions()
              .put(tx, by, draft(each.path(), "restore", old.format(), old.content()));
          restored.add(each.path());
        }
      }
      for (String path : now) {
        documents.versions().put(tx, by, draft(path, VersionStore.DELETE, Format.TEXT, ""));
        removed.add(path);
      }
      return Answer.of(answer);
    });
  }

  private static Draft draft(String path, String action, Format format, String content) {
    return new Draft(path, action, format, content, Guard.OVERWRITE);
  }
}
