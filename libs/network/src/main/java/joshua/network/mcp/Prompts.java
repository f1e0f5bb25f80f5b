package joshua.network.mcp;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The prompts that a server has, asked each time: they may change. */
@FunctionalInterface
public interface Prompts {
  /** Those of a server that never has any, and says so. */
  Prompts NONE = List::of;

  /** Those that there are now, their names all different. */
  List<Prompt> now();

  /** Prompts that don't change. */
  static Prompts of(List<Prompt> prompts) {
    Set<String> names = new HashSet<>();
    for (Prompt prompt : prompts) {
      if (!names.add(prompt.spec().name())) {
        throw new IllegalArgumentException("two prompts are called " + prompt.spec().name());
      }
    }
    List<Prompt> fixed = List.copyOf(prompts);
    return fixed.isEmpty() ? NONE : () -> fixed;
  }
}
