package joshua.tasks.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskKind;
import joshua.tasks.model.TaskWork;
import joshua.tasks.model.TokenSink;
import joshua.thought.OfflineMode;
import joshua.thought.StageName;
import joshua.thought.ThoughtEngine;
import joshua.thought.TokenListener;
import joshua.thought.UserPrompt;

/** The work of a converse task: the thought engine answers one prompt (REQ-FD-02). */
public record ConverseWork(ThoughtEngine engine) implements TaskWork {
  private static final String OFFLINE = "offline";

  @Override
  public ObjectNode run(Task task, TokenSink tokenSink) throws Exception {
    UserPrompt userPrompt =
        new UserPrompt(
            task.prompt(),
            task.requesterId(),
            task.conversationId(),
            task.correlationId(),
            mode(Json.object(task.input())));
    return engine.think(userPrompt, heard(tokenSink)).payload();
  }

  /** The input of a converse task besides its prompt: the mode, unless it is the default. */
  static ObjectNode input(OfflineMode mode) {
    ObjectNode input = Json.object();
    return mode == OfflineMode.AUTO ? input : input.put(OFFLINE, mode.wireName());
  }

  /** The mode in a call's or a task's input. */
  static OfflineMode mode(ObjectNode input) {
    return OfflineMode.named(input.path(OFFLINE).asText()).orElse(OfflineMode.AUTO);
  }

  private static TokenListener heard(TokenSink tokenSink) {
    return new TokenListener() {
      @Override
      public void token(String text) {
        tokenSink.token(text);
      }

      @Override
      public void working() {
        tokenSink.working();
      }

      @Override
      public void stage(StageName stage) throws InterruptedException {
        tokenSink.kind(stage == StageName.IMPERATOR ? TaskKind.WORK : TaskKind.QUESTION);
      }
    };
  }
}
