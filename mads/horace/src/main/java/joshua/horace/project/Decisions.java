package joshua.horace.project;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import joshua.horace.change.Answer;
import joshua.horace.change.ChangeLog;
import joshua.horace.change.Request;
import joshua.horace.document.Documents;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.network.Name;
import joshua.network.SchemaHint;
import joshua.network.ToolResult;
import joshua.state.Database;
import joshua.state.Migration;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/** The decisions of projects, and the checkpoints that they pass. */
public record Decisions(Database database, Documents documents) {
  public static final List<Migration> MIGRATIONS =
      Migration.load(Decisions.class, "0003-decisions.sql");

  private static final String CHECKPOINT = "checkpoint";

  /** What became of a checkpoint; only one that is pending isn't passed. */
  public enum Outcome {
    COMPLETED,
    SKIPPED,
    PENDING
  }

  /** The input of {@code checkpoint_check}. */
  public record Check(
      @Name(value = "Of which agent: c5", anybody = true) String agentId,
      @Nullable String project,
      @Name @Nullable String clientId)
      implements Request.Input {}

  /** The input of {@code checkpoint_mark}. */
  public record Mark(
      @SchemaHint(value = "CP_METHODOLOGY_APPROVAL", min = 1, max = 200) String checkpointId,
      @SchemaHint(min = 1, max = 65_536) String decision,
      @SchemaHint(max = 65_536) @Nullable String rationale,
      @SchemaHint("completed if left out") @Nullable Outcome outcome,
      @Nullable String project,
      @Name @Nullable String clientId)
      implements Request.Input {}

  /** The input of {@code checkpoint_status}. */
  public record Status(
      @SchemaHint("Only this one") @Nullable String checkpointId,
      @Nullable String project,
      @Name @Nullable String clientId)
      implements Request.Input {}

  /** The input of {@code decision_add}. */
  public record Add(
      @SchemaHint(value = "What was decided", min = 1, max = 65_536) String selected,
      @SchemaHint("The checkpoint that it passes") @Nullable String checkpointId,
      @SchemaHint(max = 65_536) @Nullable String rationale,
      @SchemaHint(max = 100) @Nullable List<String> alternatives,
      @Nullable ObjectNode metadata,
      @SchemaHint("DEV_003: the decision that this one replaces") @Nullable String amends,
      @Nullable String project,
      @Name @Nullable String clientId)
      implements Request.Input {}

  private AgentRules rules(Request by) {
    return new AgentRules(documents.data(by.project(), AgentRules.PATH));
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

  public ToolResult check(Request by, Check input) {
    AgentRules rules = rules(by);
    String agent = input.agentId();
    List<String> missing = rules.missing(agent, database.read(tx -> passed(tx, by.project())));
    String message =
        !rules.knows(agent)
            ? "The agent %s is unknown here, so nothing is in its way.".formatted(agent)
            : missing.isEmpty()
                ? "%s may begin.".formatted(agent)
                : "%s needs %s first.".formatted(agent, String.join(", ", missing));
    ObjectNode answer = Json.object().put("approved", missing.isEmpty());
    answer.set("missing", Json.mapper().valueToTree(missing));
    answer.put("message", message).set("own_checkpoints", rules.ownCheckpoints(agent));
    return Answer.of(answer);
  }

  public ToolResult mark(Request by, Mark input) {
    AgentRules rules = rules(by);
    String id = input.checkpointId();
    Outcome outcome = requireNonNullElse(input.outcome(), Outcome.COMPLETED);
    return database.write(tx -> {
      Set<String> before = rules.blocked(passed(tx, by.project())).keySet();
      tx.update(
          """
          insert into checkpoint values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do update
          set status = excluded.status, decision = excluded.decision,
            rationale = excluded.rationale, author = excluded.author, at = excluded.at
          """,
          by.project(),
          id,
          rules.level(id),
          outcome,
          input.decision(),
          input.rationale(),
          by.author(),
          by.at());
      String decisionId =
          insert(
              tx,
              by,
              new Add(input.decision(), id, input.rationale(), null, null, null, null, null),
              1);
      Set<String> after = rules.blocked(passed(tx, by.project())).keySet();
      ObjectNode detail = Json.object().put("decision", input.decision());
      ArrayNode unblocks = detail.putArray("unblocks");
      before.stream().filter(agent -> !after.contains(agent)).forEach(unblocks::add);
      long change = ChangeLog.add(tx, by, CHECKPOINT, id, null, "mark", null, detail);
      ObjectNode answer =
          by.changed(change)
              .put("recorded", true)
              .put("checkpoint_id", id)
              .put("decision_id", decisionId);
      return Answer.of(answer.set("unblocks", unblocks));
    });
  }

  public ToolResult add(Request by, Add input) {
    return database.write(tx -> {
      long version = 1;
      if (input.amends() != null) {
        Optional<Amended> old = find(tx, by, input.amends());
        if (old.isEmpty()) {
          String sentence =
              "There is no decision %s in the project %s.".formatted(input.amends(), by.project());
          return Answer.refused(ErrorCode.NOT_FOUND, sentence);
        } else if (old.get().supersededBy() != null) {
          String sentence =
              "%s has been amended by %s: amend that one."
                  .formatted(input.amends(), old.get().supersededBy());
          return Answer.refused(ErrorCode.CONFLICT, sentence);
        }
        version = old.get().version() + 1;
      }
      String id = insert(tx, by, input, version);
      String action = input.amends() == null ? "add" : "amend";
      long change = ChangeLog.add(tx, by, "decision", id, version, action, null, null);
      return Answer.of(
          by.changed(change).put("recorded", true).put("decision_id", id).put("version", version));
    });
  }

  private record Amended(long version, @Nullable String supersededBy) {}

  private static Optional<Amended> find(Transaction tx, Request by, String id) {
    return tx.row(
        Amended.class,
        "select version, superseded_by from decision where project = ? and decision_id = ?",
        by.project(),
        id);
  }

  private static String insert(Transaction tx, Request by, Add input, long version) {
    long number =
        tx.number(
            "update project set decisions = decisions + 1 where id = ? returning decisions",
            by.project());
    String id = "DEV_%03d".formatted(number);
    tx.update(
        """
        insert into decision (project, decision_id, version, checkpoint_id, selected, rationale,
          alternatives, metadata, supersedes, author, at)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        by.project(),
        id,
        version,
        input.checkpointId(),
        input.selected(),
        input.rationale(),
        input.alternatives() == null
            ? null
            : Json.mapper().valueToTree(input.alternatives()).toString(),
        input.metadata() == null ? null : input.metadata().toString(),
        input.amends(),
        by.author(),
        by.at());
    if (input.amends() != null) {
      tx.update(
          "update decision set superseded_by = ? where project = ? and decision_id = ?",
          id,
          by.project(),
          input.amends());
    }
    return id;
  }

  public ToolResult status(Request by, Status input) {
    ObjectNode answer = standing(by);
    if (input.checkpointId() != null) {
      String only = input.checkpointId();
      for (String list : List.of("passed", "pending")) {
        answer.withArray(list).removeIf(id -> !id.asText().equals(only));
      }
      answer.withArray("blocked").removeIf(agent -> !agent.toString().contains("\"" + only + "\""));
    }
    return Answer.of(answer);
  }

  /** Which checkpoints are passed and which pending, and who waits for which. */
  ObjectNode standing(Request by) {
    AgentRules rules = rules(by);
    ObjectNode answer = Json.object();
    Set<String> passed =
        database.read(tx -> {
          Set<String> all = passed(tx, by.project());
          all.forEach(answer.putArray("passed")::add);
          tx.rows(
                  String.class,
                  "select id from checkpoint where project = ? and status = 'PENDING'",
                  by.project())
              .forEach(answer.putArray("pending")::add);
          answer.put(
              "total_decisions",
              tx.number("select count(*) from decision where project = ?", by.project()));
          return all;
        });
    ArrayNode blocked = answer.putArray("blocked");
    rules
        .blocked(passed)
        .forEach((agent, missing) ->
            blocked
                .addObject()
                .put("agent", agent)
                .set("missing", Json.mapper().valueToTree(missing)));
    return answer;
  }
}
