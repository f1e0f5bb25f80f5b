package joshua.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.exception.ToolExecutionException;
import dev.langchain4j.mcp.client.DefaultMcpClient;
import dev.langchain4j.mcp.client.McpClient;
import dev.langchain4j.mcp.client.transport.McpTransport;
import dev.langchain4j.mcp.client.transport.http.StreamableHttpMcpTransport;
import dev.langchain4j.mcp.client.transport.websocket.WebSocketMcpTransport;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.kernel.Json;
import org.jspecify.annotations.Nullable;

/** LangChain4j's MCP client. */
final class LangChainTestClient implements McpTestClient {
  private static final long WAIT_SECONDS = 30;

  private final String url;
  private final AtomicInteger updates = new AtomicInteger();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile @Nullable McpClient client;

  /**
   * A client that isn't connected.
   *
   * @param url {@code http:} or {@code ws:}
   */
  LangChainTestClient(String url) {
    this.url = url;
  }

  private McpTransport transport() {
    return url.startsWith("ws")
        ? WebSocketMcpTransport.builder().url(url).build()
        : StreamableHttpMcpTransport.builder().url(url).subsidiaryChannel(true).build();
  }

  private Outcome patiently(Callable<JsonNode> work) {
    Future<JsonNode> result = threads.submit(work);
    try {
      return new Outcome.Is(result.get(WAIT_SECONDS, TimeUnit.SECONDS));
    } catch (TimeoutException e) {
      result.cancel(true);
      return new Outcome.Hangs();
    } catch (ExecutionException e) {
      // A broken connection is reported in the same way; a refusal begins with its code.
      if (e.getCause() instanceof ToolExecutionException refused
          && refused.errorCode() == null
          && String.valueOf(refused.getMessage()).matches("(?s)[a-z_]+: .*")) {
        return new Outcome.Refused(refused.getMessage(), MissingNode.getInstance());
      }
      return new Outcome.Failed(String.valueOf(e.getCause()));
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  private McpClient client() {
    McpClient connected = client;
    if (connected == null) {
      throw new IllegalStateException("it isn't connected");
    }
    return connected;
  }

  @Override
  public Outcome connect() {
    return patiently(() -> {
      disconnect();
      client =
          DefaultMcpClient.builder()
              .transport(transport())
              .cacheToolList(false)
              .onResourceUpdated((_, _) -> updates.incrementAndGet())
              .build();
      return BooleanNode.TRUE;
    });
  }

  @Override
  public Outcome tools() {
    return patiently(() -> {
      ArrayNode names = Json.object().putArray("names");
      client().listTools().forEach(tool -> names.add(tool.name()));
      return names;
    });
  }

  /** It shows a result's structured content where there is some, else its text. */
  @Override
  public Outcome call(String tool, ObjectNode arguments) {
    return patiently(() -> {
      ToolExecutionRequest request =
          ToolExecutionRequest.builder().name(tool).arguments(Json.write(arguments)).build();
      String text = client().executeTool(request).resultText();
      return text.startsWith("{") ? Json.parse(text) : Json.object().put("message", text);
    });
  }

  @Override
  public Outcome watch(String uri) {
    return patiently(() -> {
      client().subscribeToResource(uri);
      return BooleanNode.TRUE;
    });
  }

  @Override
  public int updates() {
    return updates.get();
  }

  private void disconnect() throws Exception {
    McpClient connected = client;
    if (connected != null) {
      connected.close();
    }
  }

  @Override
  public void close() {
    patiently(() -> {
      disconnect();
      return BooleanNode.TRUE;
    });
    threads.shutdownNow();
  }
}
