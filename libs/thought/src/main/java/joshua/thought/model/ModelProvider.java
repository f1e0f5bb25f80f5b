package joshua.thought.model;

import java.util.Locale;

/** What kind of server models are asked of. */
public enum ModelProvider {
  NONE,
  /** OpenAI, and every server that speaks its protocol. */
  OPENAI,
  ANTHROPIC,
  OLLAMA;

  /** As settings name it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
