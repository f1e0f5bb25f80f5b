package joshua.thought;

import java.util.ArrayList;
import java.util.List;

/**
 * A model's input in one dialogue without the system prompt, and what remains of its token budget.
 * Used by one thread.
 */
final class ModelTranscript {
  static final String LEFT_OUT = "(left out again for want of room)";

  private final List<ModelMessage> messages;
  private int room;

  ModelTranscript(List<ModelMessage> messages, int room) {
    this.messages = new ArrayList<>(messages);
    this.room = room;
  }

  List<ModelMessage> messages() {
    return List.copyOf(messages);
  }

  /** The number of tokens that may be added; negative if the budget is exceeded. */
  int room() {
    return room;
  }

  void add(ModelMessage message) {
    messages.add(message);
    room -= message.tokens();
  }

  /** Adds to the model's input. */
  void tell(String text) {
    if (messages.getLast() instanceof ModelMessage.User(String before)) {
      replace(messages.size() - 1, new ModelMessage.User(before + "\n\n" + text));
    } else {
      add(new ModelMessage.User(text));
    }
  }

  /**
   * Drops results, oldest first, until the rest is within the budget.
   *
   * @return whether any was dropped
   */
  boolean leaveOut() {
    boolean any = false;
    for (int i = 0; i < messages.size() && room < 0; i++) {
      if (messages.get(i) instanceof ModelMessage.ToolResult result) {
        ModelMessage shorter =
            new ModelMessage.ToolResult(result.request(), LEFT_OUT, result.failed());
        if (shorter.tokens() < result.tokens()) {
          replace(i, shorter);
          any = true;
        }
      }
    }
    return any;
  }

  private void replace(int index, ModelMessage message) {
    room += messages.set(index, message).tokens() - message.tokens();
  }
}
