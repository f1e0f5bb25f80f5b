package joshua.network.mcp;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The prompts of a server, queried each time: they may change. */
@FunctionalInterface
public interface McpPrompts {
  /** The prompts of a server that never has any, and declares so. */
  McpPrompts NONE = List::of;

  /** The present prompts, with distinct names. */
  List<McpPrompt> now();

  /** Prompts that don't change. */
  static McpPrompts of(List<McpPrompt> prompts) {
    Set<String> names = new HashSet<>();
    for (McpPrompt mcpPrompt : prompts) {
      if (!names.add(mcpPrompt.spec().name())) {
        throw new IllegalArgumentException("two prompts are called " + mcpPrompt.spec().name());
      }
    }
    List<McpPrompt> fixed = List.copyOf(prompts);
    return fixed.isEmpty() ? NONE : () -> fixed;
  }
}
