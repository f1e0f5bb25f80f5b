package joshua.network.bridge;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import joshua.kernel.ClockSources;
import joshua.kernel.Json;
import joshua.network.ToolResult;
import org.junit.jupiter.api.AfterEach;

/** A bridge, MADs and networks that are closed after each test. */
abstract class OnStage {
  static final long FRAME_LIMIT = 64 * 1024;

  final List<AutoCloseable> open = new ArrayList<>();

  /** How far the bridge's clock is ahead. */
  final AtomicLong ahead = new AtomicLong();

  final AtomicReference<Optional<String>> token = new AtomicReference<>(Optional.empty());

  <T extends AutoCloseable> T opened(T part) {
    open.addFirst(part);
    return part;
  }

  @AfterEach
  final void closeAll() throws Exception {
    for (AutoCloseable part : open) {
      part.close();
    }
  }

  TestMad mad(String name, int port) throws Exception {
    return opened(new TestMad(name, port));
  }

  StdioClient clientOf(Map<String, Integer> ports) throws IOException {
    List<McpBridge.Mad> mads =
        ports.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(mad ->
                new McpBridge.Mad(
                    mad.getKey(),
                    "",
                    TestMad.catalogue(mad.getKey()),
                    () ->
                        new EndpointResolver.Place(
                            URI.create("ws://127.0.0.1:%d/mcp".formatted(mad.getValue())),
                            token.get()),
                    "Start it."))
            .toList();
    McpBridge mcpBridge =
        opened(
            McpBridge.start(
                new McpBridge.Config("1", "For tests.", FRAME_LIMIT, 100_000),
                mads,
                new ClockSources(
                    InstantSource.system(), () -> System.nanoTime() + ahead.get(), Thread::sleep)));
    return opened(new StdioClient(mcpBridge)).reading();
  }

  static ObjectNode none() {
    return Json.object();
  }

  static String code(JsonNode result) {
    return error(result).path("code").asText();
  }

  static String outcome(JsonNode result) {
    return error(result).path("outcome").asText();
  }

  private static JsonNode error(JsonNode result) {
    return result.path("_meta").path(ToolResult.ERROR_META);
  }

  static void untilItWorks(StdioClient client, String tool) {
    await().until(() -> !client.call(tool, none()).path("isError").asBoolean());
  }
}
