package joshua.thought;

/** A stage that reads prompts without a model: DTR and LPPM are such. Safe for many threads. */
@FunctionalInterface
public interface PromptReader {
  PromptReading read(UserPrompt userPrompt) throws InterruptedException;
}
