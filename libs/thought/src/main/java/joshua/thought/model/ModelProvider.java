package joshua.thought.model;

import java.util.Locale;

/** What kind of server models are asked of. */
public enum ModelProvider {
  NONE(""),
  /** OpenAI, and every server that speaks its protocol. */
  OPENAI("https://api.openai.com/v1"),
  ANTHROPIC("https://api.anthropic.com/v1"),
  OLLAMA("http://localhost:11434");

  final String url;

  ModelProvider(String url) {
    this.url = url;
  }

  /** As settings name it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
