package joshua.horace.document;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import joshua.horace.change.ChangeLog;
import joshua.horace.change.ChangeLog.Kind;
import joshua.horace.change.Refused;
import joshua.horace.change.Request;
import joshua.horace.change.Request.Scope;
import joshua.horace.document.VersionStore.Draft;
import joshua.horace.document.VersionStore.Version;
import joshua.network.SchemaHint;
import joshua.state.Database;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/** Moments of a project, whose documents are kept and can be restored as new versions. */
public record Snapshots(Database database, Documents documents) {
  private static final int MAX_KEPT = 10;
  private static final long MAX_BYTES = 64L * 1024 * 1024; // that are written in one transaction

  /** Why there is a snapshot; of each reason the newest are kept. */
  private enum Reason {
    ASKED,
    UNDO
  }

  public record Take(
      @SchemaHint(value = "What it is of, for people", max = 200) @Nullable String label,
      @JsonUnwrapped Scope scope)
      implements Request.Input {}

  public record Restore(long snapshot, @JsonUnwrapped Scope scope) implements Request.Input {}

  public ObjectNode take(Request by, Take input) {
    return database.write(tx -> {
      long change = ChangeLog.add(tx, by, Kind.SNAPSHOT, by.project(), "take", input.label());
      return by.changed(change).put("snapshot", add(tx, by, input.label(), Reason.ASKED, change));
    });
  }

  private static long add(
      Transaction tx, Request by, @Nullable String label, Reason reason, long change) {
    @Nullable Object[] row = {by.project(), label, reason, change, by.author(), by.at()};
    long id = tx.number("insert into snapshot values (null, ?, ?, ?, ?, ?, ?) returning id", row);
    String prune =
        """
        delete from snapshot where project = ?1 and reason = ?2 and id not in (
          select id from snapshot where project = ?1 and reason = ?2 order by id desc limit ?3)
        """;
    tx.update(prune, by.project(), reason, MAX_KEPT);
    return id;
  }

  private record Then(String path, long version) {}

  /** Makes all documents what they were, after a snapshot of what they are. */
  public ObjectNode restore(Request by, Restore input) {
    return Refused.orWritten(database, tx -> restore(tx, by, input));
  }

  private ObjectNode restore(Transaction tx, Request by, Restore input) {
    String project = by.project();
    VersionStore versions = documents.versions();
    String taken = "select change from snapshot where id = ? and project = ?";
    long change =
        tx.row(Long.class, taken, input.snapshot(), project)
            .orElseThrow(() ->
                Refused.notFound(
                    "There is no snapshot %d; snapshots in horace_query lists what is kept.",
                    input.snapshot()));
    String then =
        """
        select path, max(version) from document_version
        where project = ?1 and change <= ?2 group by path
        """;
    String size =
        """
        select coalesce(sum(bytes), 0) from document_version where project = ?1
          and (path, version) in (%s)
        """
            .formatted(then);
    if (tx.number(size, project, change) > MAX_BYTES) {
      throw Refused.tooLarge("Snapshot %d has over %d bytes.", input.snapshot(), MAX_BYTES);
    }
    String paths = "select path from document where project = ? and deleted = 0";
    Set<String> now = new TreeSet<>(tx.rows(String.class, paths, project));
    List<Then> all = tx.rows(Then.class, then, project, change);
    Stream.concat(now.stream(), all.stream().map(Then::path))
        .forEach(path -> versions.locks().require(tx, by, path, null));
    long undone =
        ChangeLog.add(tx, by, Kind.SNAPSHOT, project, input.snapshot(), "restore", null, null);
    ObjectNode answer = by.changed(undone).put("undo", add(tx, by, null, Reason.UNDO, undone));
    ArrayNode restored = answer.putArray("restored");
    for (Then each : all) {
      String path = each.path();
      Version old = VersionStore.find(tx, project, path, each.version()).orElseThrow();
      if (!old.isDeleted()) {
        now.remove(path);
        Draft draft = Draft.of(path, "restore", old.format(), old.content(), true);
        if (!versions.put(tx, by, draft).has("unchanged")) {
          restored.add(path);
        }
      }
    }
    ArrayNode removed = answer.putArray("removed");
    for (String path : now) {
      versions.put(tx, by, Draft.of(path, VersionStore.DELETE, Format.TEXT, "", true));
      removed.add(path);
    }
    return answer;
  }
}
