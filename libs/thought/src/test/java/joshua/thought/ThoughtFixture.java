package joshua.thought;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import joshua.kernel.Json;
import joshua.network.JsonSchema;
import joshua.testing.ManualTime;

/**
 * A small MAD with a list of tasks and three queries on it, which records tokens and query runs.
 */
final class ThoughtFixture implements TokenListener {
  static final ModelLimits LIMITS =
      new ModelLimits(
          Duration.ofSeconds(1),
          Duration.ofSeconds(60),
          Duration.ofSeconds(60),
          Duration.ofSeconds(60),
          0,
          500,
          8_000);
  static final UserPrompt PROMPT = prompt("How do my tasks fare?");

  final ManualTime time = new ManualTime(Instant.parse("2026-11-18T15:30:00Z"));
  final List<String> heard = new ArrayList<>();
  final List<String> run = new ArrayList<>();
  final List<ConversationTurn> turns = new ArrayList<>();
  final List<QueryCall> state = new ArrayList<>();
  final ArrayNode tasks = Json.shared().createArrayNode();
  final QueryWhitelist queries;
  RowSummary summary = RowSummary.NONE;
  int workings;

  ThoughtFixture() {
    tasks.addObject().put("task_id", "t1").put("status", "RUNNING").put("requester", "alice");
    tasks.addObject().put("task_id", "t2").put("status", "FAILED").put("requester", "bob");
    queries =
        new QueryWhitelist(
            List.of(
                query("tasks", "{\"limit\":{\"type\":\"integer\",\"maximum\":2000}}"),
                query("task_result", "{\"task_id\":{\"type\":\"string\",\"maxLength\":36}}"),
                query("broken", "{}")),
            schema -> new JsonSchema(schema)::problem);
  }

  static UserPrompt prompt(String text) {
    return new UserPrompt(text, "alice", UUID.randomUUID(), UUID.randomUUID());
  }

  static ObjectNode json(String text) {
    try {
      return (ObjectNode) Json.parse(text);
    } catch (Json.MalformedJsonException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private Query query(String name, String properties) {
    QuerySpec spec =
        new QuerySpec(
            name,
            "What " + name + " answers.",
            json(
                "{\"type\":\"object\",\"properties\":%s,\"additionalProperties\":false}"
                    .formatted(properties)),
            List.of("task_id", "status"));
    return new Query() {
      @Override
      public QuerySpec spec() {
        return spec;
      }

      @Override
      public ArrayNode run(ObjectNode arguments, UserPrompt userPrompt) throws Exception {
        run.add(name + arguments);
        if (name.equals("broken")) {
          throw new java.io.IOException("the disk is gone");
        }
        return tasks.deepCopy();
      }

      @Override
      public RowSummary summary(ObjectNode arguments, ArrayNode rows) {
        return summary;
      }
    };
  }

  Cet cet(ModelLimits limits) {
    return new Cet(
        SystemPrompt.of(ThoughtFixture.class),
        state,
        queries,
        (conversation, requester, atMost) ->
            turns.subList(Math.max(0, turns.size() - atMost), turns.size()),
        limits,
        time);
  }

  Imperator imperator(LanguageModel languageModel, ModelLimits limits) {
    return new Imperator(languageModel, cet(limits), queries, limits);
  }

  ThoughtAnswer think(LanguageModel languageModel) throws Exception {
    return imperator(languageModel, LIMITS).think(PROMPT, this);
  }

  @Override
  public void token(String text) {
    heard.add(text);
  }

  @Override
  public void working() {
    workings++;
  }
}
