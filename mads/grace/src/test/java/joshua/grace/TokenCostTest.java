package joshua.grace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import joshua.kernel.Json;
import joshua.network.ToolSpec;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;

/** Measures how many tokens Grace's tools cost a model that they are shown to. */
final class TokenCostTest {
  private static final int MOST = 3_000;

  @Test
  void allToolsTogetherCostLessThanThreeThousandTokens() throws Exception {
    Encoding encoding = Encodings.newDefaultEncodingRegistry().getEncoding(EncodingType.O200K_BASE);
    try (RealRedis redis = RealRedis.start();
        RunningGrace grace = RunningGrace.on(redis)) {
      ArrayNode all = Json.shared().createArrayNode();
      for (ToolSpec spec : grace.service().tools().specs()) {
        ObjectNode tool = all.addObject();
        tool.put("name", spec.name()).put("title", spec.title());
        tool.put("description", spec.description());
        tool.set("inputSchema", spec.inputSchema());
        tool.set("outputSchema", spec.outputSchema());
        System.out.printf("%s: %d tokens%n", spec.name(), encoding.countTokens(Json.write(tool)));
      }
      int cost = encoding.countTokens(Json.write(all));
      System.out.printf("all of Grace's tools: %d tokens (o200k_base)%n", cost);
      assertThat(cost).isLessThan(MOST);
    }
  }
}
