package joshua.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** Deque's axe, which finds what keeps people from using a page. */
final class Axe {
  private static final String RUN_SCRIPT =
      """
      axe.run().then(found => found.violations
        .filter(rule => ['serious', 'critical'].includes(rule.impact))
        .flatMap(rule => rule.nodes.map(node => `${rule.id}: ${rule.help}: ${node.html}`)))\
      """;

  private Axe() {}

  /** Serious and critical findings: the rule, what it demands, the element. */
  static List<String> violations(Page page) throws IOException {
    try (InputStream source = Axe.class.getResourceAsStream("/axe/axe.min.js")) {
      page.evaluate(new String(source.readAllBytes(), UTF_8));
    }
    return page.evaluate(RUN_SCRIPT).valueStream().map(JsonNode::asText).toList();
  }
}
