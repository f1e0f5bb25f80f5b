package joshua.horace.project;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import joshua.horace.change.ChangeLog;
import joshua.horace.change.ChangeLog.Kind;
import joshua.horace.change.Refused;
import joshua.horace.change.Request;
import joshua.horace.change.Request.Scope;
import joshua.horace.document.Documents;
import joshua.kernel.Json;
import joshua.network.Name;
import joshua.network.SchemaHint;
import joshua.state.Database;
import joshua.state.Migration;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/** The decisions of projects, and the checkpoints that they pass. */
public record Decisions(Database database, Documents documents) {
  public static final List<Migration> MIGRATIONS =
      Migration.load(Decisions.class, "0003-decisions.sql");

  /** What became of a checkpoint; only one that is pending isn't passed. */
  public enum Outcome {
    COMPLETED,
    SKIPPED,
    PENDING
  }

  public record Check(
      @Name(value = "Of which agent: c5", anybody = true) String agentId,
      @JsonUnwrapped Scope scope)
      implements Request.Input {}

  public record Mark(
      @SchemaHint(value = "CP_METHODOLOGY_APPROVAL", min = 1, max = 200) String checkpointId,
      @SchemaHint(min = 1, max = 65_536) String decision,
      @SchemaHint(max = 65_536) @Nullable String rationale,
      @SchemaHint("completed if left out") @Nullable Outcome outcome,
      @JsonUnwrapped Scope scope)
      implements Request.Input {}

  public record Status(
      @SchemaHint("Only this one") @Nullable String checkpointId, @JsonUnwrapped Scope scope)
      implements Request.Input {}

  public record Add(
      @SchemaHint(value = "What was decided", min = 1, max = 65_536) String selected,
      @SchemaHint(value = "The checkpoint that it passes", min = 1, max = 200)
          @Nullable String checkpointId,
      @SchemaHint(max = 65_536) @Nullable String rationale,
      @SchemaHint(max = 100) @Nullable List<String> alternatives,
      @Nullable ObjectNode metadata,
      @SchemaHint("DEV_003: the decision that this one replaces") @Nullable String amends,
      @JsonUnwrapped Scope scope)
      implements Request.Input {}

  private AgentRules rules(Request by) {
    return new AgentRules(documents.data(by.project(), Documents.AGENTS));
  }

  private static Set<String> passed(Transaction tx, String project) {
    return new TreeSet<>(
        tx.rows(
            String.class,
            """
            select id from checkpoint where project = ?1 and status <> 'PENDING'
            union select checkpoint_id from decision
            where project = ?1 and checkpoint_id is not null and checkpoint_id not in (
              select id from checkpoint where project = ?1 and status = 'PENDING')
            """,
            project));
  }

  public ObjectNode check(Request by, Check input) {
    AgentRules rules = rules(by);
    String agent = input.agentId();
    List<String> missing = rules.missing(agent, database.read(tx -> passed(tx, by.project())));
    String message =
        !rules.knows(agent)
            ? "The agent %s is unknown here, so nothing is in its way.".formatted(agent)
            : missing.isEmpty()
                ? "%s may begin.".formatted(agent)
                : "%s needs %s first.".formatted(agent, String.join(", ", missing));
    ObjectNode answer = Json.object().put("approved", missing.isEmpty()).put("message", message);
    answer.set("missing", Json.mapper().valueToTree(missing));
    return answer.set("own_checkpoints", rules.ownCheckpoints(agent));
  }

  public ObjectNode mark(Request by, Mark input) {
    AgentRules rules = rules(by);
    String id = input.checkpointId();
    String decision = input.decision();
    Outcome outcome = requireNonNullElse(input.outcome(), Outcome.COMPLETED);
    @Nullable Object[] row = {
      by.project(), id, rules.level(id), outcome, decision, input.rationale(), by.author(), by.at()
    };
    return database.write(tx -> {
      Set<String> unblocked = new TreeSet<>(rules.blocked(passed(tx, by.project())).keySet());
      tx.update(
          """
          insert into checkpoint values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do update
          set status = excluded.status, decision = excluded.decision,
            rationale = excluded.rationale, author = excluded.author, at = excluded.at
          """,
          row);
      Add add = new Add(decision, id, input.rationale(), null, null, null, Scope.NONE);
      String decisionId = insert(tx, by, add, id, 1);
      unblocked.removeAll(rules.blocked(passed(tx, by.project())).keySet());
      ObjectNode detail = Json.object().put("decision", decision);
      unblocked.forEach(detail.putArray("unblocks")::add);
      long change = ChangeLog.add(tx, by, Kind.CHECKPOINT, id, null, "mark", null, detail);
      ObjectNode answer = by.changed(change).put("recorded", true).put("checkpoint_id", id);
      return answer.put("decision_id", decisionId).set("unblocks", detail.get("unblocks"));
    });
  }

  private record Amended(
      long version, @Nullable String supersededBy, @Nullable String checkpointId) {}

  public ObjectNode add(Request by, Add input) {
    return Refused.orWritten(
        database,
        tx -> {
          Amended old =
              input.amends() == null ? new Amended(0, null, null) : amended(tx, by, input.amends());
          long version = old.version() + 1;
          String own = input.checkpointId();
          String id = insert(tx, by, input, own == null ? old.checkpointId() : own, version);
          String action = input.amends() == null ? "add" : "amend";
          long change = ChangeLog.add(tx, by, Kind.DECISION, id, version, action, null, null);
          ObjectNode answer = by.changed(change).put("recorded", true);
          return answer.put("decision_id", id).put("version", version);
        });
  }

  /** A decision that can be amended. */
  private static Amended amended(Transaction tx, Request by, String id) {
    String find =
        "select version, superseded_by, checkpoint_id from decision where project = ? and decision_id = ?";
    Amended old =
        tx.row(Amended.class, find, by.project(), id)
            .orElseThrow(() ->
                Refused.notFound("There is no decision %s in the project %s.", id, by.project()));
    if (old.supersededBy() != null) {
      throw Refused.conflict("%s has been amended by %s: amend that one.", id, old.supersededBy());
    }
    return old;
  }

  private static String insert(
      Transaction tx, Request by, Add input, @Nullable String checkpoint, long version) {
    String next = "update project set decisions = decisions + 1 where id = ? returning decisions";
    String id = "DEV_%03d".formatted(tx.number(next, by.project()));
    @Nullable Object[] row = {
      by.project(),
      id,
      version,
      checkpoint,
      input.selected(),
      input.rationale(),
      json(input.alternatives()),
      json(input.metadata()),
      input.amends(),
      by.author(),
      by.at()
    };
    tx.update("insert into decision values (null, ?, ?, ?, ?, ?, ?, ?, ?, ?, null, ?, ?)", row);
    String amend = "update decision set superseded_by = ? where project = ? and decision_id = ?";
    tx.update(amend, id, by.project(), input.amends());
    return id;
  }

  private static @Nullable String json(@Nullable Object value) {
    return value == null ? null : Json.mapper().valueToTree(value).toString();
  }

  public ObjectNode status(Request by, Status input) {
    return Json.mapper().valueToTree(standing(by, input.checkpointId()));
  }

  /** Which checkpoints are passed and which pending, and who waits for which. */
  record Standing(
      List<String> passed, List<String> pending, long totalDecisions, List<Waiting> blocked) {}

  record Waiting(String agent, List<String> missing) {}

  /** What there is of all checkpoints, or of one. */
  Standing standing(Request by, @Nullable String only) {
    AgentRules rules = rules(by);
    Predicate<String> wanted = it -> only == null || it.equals(only);
    String ids = "select id from checkpoint where project = ? and status = 'PENDING'";
    String count = "select count(*) from decision where project = ?";
    return database.read(tx -> {
      Set<String> passed = passed(tx, by.project());
      return new Standing(
          passed.stream().filter(wanted).toList(),
          tx.rows(String.class, ids, by.project()).stream().filter(wanted).toList(),
          tx.number(count, by.project()),
          rules.blocked(passed).entrySet().stream()
              .filter(it -> it.getValue().stream().anyMatch(wanted))
              .map(it -> new Waiting(it.getKey(), it.getValue()))
              .toList());
    });
  }
}
