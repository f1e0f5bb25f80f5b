package joshua.thought.model;

import java.util.Locale;

/** The kinds of model servers. */
public enum ModelProvider {
  NONE(""),
  /** OpenAI, and every server with its protocol. */
  OPENAI("https://api.openai.com/v1"),
  ANTHROPIC("https://api.anthropic.com/v1"),
  OLLAMA("http://localhost:11434");

  final String url;

  ModelProvider(String url) {
    this.url = url;
  }

  /** The name in settings. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
