package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import joshua.app.Services;
import joshua.kernel.Json;
import joshua.service.ServiceDescriptor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What models read of the tools before they call one. */
class ToolDescriptionsTest extends GroupTest {
  private static final int MOST_TOKENS = 4_000;

  static Stream<String> services() {
    return Services.ALL.stream().map(ServiceDescriptor::name);
  }

  private JsonNode tools(String service) throws Exception {
    return tools(service, "");
  }

  private JsonNode tools(String service, String set) throws Exception {
    McpClient client = new McpClient(group.port(service), set);
    return McpClient.tree(client.post(McpClient.request("tools/list", Json.object())))
        .at("/result/tools");
  }

  /** So that a change of what clients rely on is seen by whoever makes it. */
  @ParameterizedTest
  @MethodSource("services")
  void theToolsAreAsTheyWereWrittenDown(String service) throws Exception {
    String name = service + "-tools.json";
    String tools = tools(service, service.equals("horace") ? "/all" : "").toPrettyString();
    Files.writeString(Files.createDirectories(Path.of("target")).resolve(name), tools + "\n");
    try (InputStream file = getClass().getResourceAsStream(name)) {
      assertThat(file).as("%s, which ./joshua test --accept writes", name).isNotNull();
      assertThat(tools)
          .as("%s; if it is meant, ./joshua test --accept writes it", name)
          .isEqualTo(Json.parse(file.readAllBytes()).toPrettyString());
    }
  }

  @ParameterizedTest
  @MethodSource("services")
  void theyCostAModelFewTokens(String service) throws Exception {
    assertThat(tokens(tools(service))).isBetween(1, MOST_TOKENS);
  }

  @ParameterizedTest
  @CsvSource({"'', 20, 3000", "/thinking, 20, 2500", "/all, 47, 6500"})
  void thoseOfASetCostFew(String set, int tools, int most) throws Exception {
    JsonNode listed = tools("horace", set + "?client_id=ann");
    assertThat(listed).hasSize(tools);
    assertThat(tokens(listed)).isBetween(1, most);
  }

  private static int tokens(JsonNode tools) {
    Encoding encoding = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.O200K_BASE);
    int tokens = 0;
    for (JsonNode tool : tools) {
      tokens += encoding.countTokens(tool.path("name").asText());
      tokens += encoding.countTokens(tool.path("description").asText());
      tokens += encoding.countTokens(tool.path("inputSchema").toString());
    }
    return tokens;
  }
}
