package joshua.horace.thinking;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;
import joshua.kernel.UnicodeText;

/** Trains of thought as graphs in Mermaid's language, where nothing in texts means anything. */
final class Drawing {
  private static final int MAX_LABEL = 40;

  private Drawing() {}

  /** Draws what {@code export} gives. */
  static String mermaid(ObjectNode train, boolean showContent) {
    StringBuilder graph = new StringBuilder("graph TD\n");
    StringBuilder edges = new StringBuilder();
    Map<String, Integer> last = new HashMap<>();
    for (JsonNode thought : train.path("thoughtHistory")) {
      int number = thought.path("thoughtNumber").asInt();
      String text = showContent ? number + ": " + thought.path("thought").asText() : "" + number;
      graph.append("    T%d[\"%s\"]\n".formatted(number, label(text)));
      Integer before = last.put(thought.path("branchId").asText(), number);
      int from = before == null ? thought.path("branchFromThought").asInt(-1) : before;
      if (from == 0) {
        graph.append("    T0([\"start\"])\n");
      }
      if (from >= 0) {
        edges.append("    T%d --> T%d\n".formatted(from, number));
      }
      if (thought.has("revisesThought")) {
        int revised = thought.path("revisesThought").asInt();
        edges.append("    T%d -. revises .-> T%d\n".formatted(number, revised));
      }
    }
    int count = 0;
    for (JsonNode branch : train.path("branches")) {
      String name = label(branch.path("branchId").asText());
      edges.append("    subgraph B%d[\"%s\"]\n".formatted(++count, name));
      branch
          .path("thoughts")
          .forEach(it -> edges.append("        T%s\n".formatted(it.path("thoughtNumber"))));
      edges.append("    end\n");
    }
    return last.isEmpty() ? "graph TD\n    empty[\"No thoughts yet\"]\n" : "" + graph + edges;
  }

  private static String label(String text) {
    StringBuilder label = new StringBuilder();
    UnicodeText.truncate(text.replaceAll("\\s+", " "), MAX_LABEL)
        .codePoints()
        .forEach(each -> {
          if (Character.isLetterOrDigit(each) || " .,:+/-".indexOf(each) >= 0) {
            label.appendCodePoint(each);
          } else {
            label.append('#').append(each).append(';');
          }
        });
    return label.toString();
  }
}
