package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import joshua.kernel.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What models read of the tools before they call one. */
@ExtendWith(SharedGroup.class)
class ToolDescriptionsTest {
  private static final int TOKENS = 3_000;

  private final JsonNode tools;

  ToolDescriptionsTest(TestGroup group) throws Exception {
    tools =
        McpClient.tree(
                new McpClient(group.gracePort())
                    .post(McpClient.request("tools/list", Json.object())))
            .at("/result/tools");
  }

  /** So that a change of what clients rely on is seen by whoever makes it. */
  @Test
  void theToolsAreAsTheyWereWrittenDown() throws Exception {
    Path now = Files.createDirectories(Path.of("target")).resolve("grace-tools.json");
    Files.writeString(now, tools.toPrettyString() + "\n");
    try (InputStream file = getClass().getResourceAsStream("grace-tools.json")) {
      assertThat(file).as("the file beside this test").isNotNull();
      assertThat(tools.toPrettyString())
          .as("if it is meant, copy e2e/target/grace-tools.json over the one beside this test")
          .isEqualTo(Json.parse(file.readAllBytes()).toPrettyString());
    }
  }

  @Test
  void theyCostAModelFewTokens() {
    Encoding encoding = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.O200K_BASE);
    int tokens = 0;
    for (JsonNode tool : tools) {
      tokens += encoding.countTokens(tool.path("name").asText());
      tokens += encoding.countTokens(tool.path("description").asText());
      tokens += encoding.countTokens(tool.path("inputSchema").toString());
    }
    assertThat(tokens).isBetween(TOKENS / 10, TOKENS);
  }
}
