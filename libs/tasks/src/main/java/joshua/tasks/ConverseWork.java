package joshua.tasks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.thought.Prompt;
import joshua.thought.StageName;
import joshua.thought.ThoughtEngine;
import joshua.thought.TokenListener;

/** Answering one prompt by the thought engine, as the work of a task (REQ-FD-02). */
public record ConverseWork(ThoughtEngine engine) implements TaskWork {
  @Override
  public ObjectNode run(Task task, Tokens tokens) throws Exception {
    Prompt prompt =
        new Prompt(task.prompt(), task.requesterId(), task.conversationId(), task.correlationId());
    return engine.think(prompt, heard(tokens)).payload();
  }

  private static TokenListener heard(Tokens tokens) {
    return new TokenListener() {
      @Override
      public void token(String text) {
        tokens.token(text);
      }

      @Override
      public void working() {
        tokens.working();
      }

      @Override
      public void stage(StageName stage) throws InterruptedException {
        tokens.kind(stage == StageName.IMPERATOR ? TaskKind.WORK : TaskKind.QUESTION);
      }
    };
  }
}
