package joshua.thought;

/** A stage that reads prompts without a model, such as DTR and LPPM. Thread-safe. */
@FunctionalInterface
public interface PromptReader {
  PromptReading read(UserPrompt userPrompt) throws InterruptedException;
}
