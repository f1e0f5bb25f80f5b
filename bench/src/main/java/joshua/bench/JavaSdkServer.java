package joshua.bench;

import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.transport.HttpServletStatelessServerTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.util.Map;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** The official Java SDK's stateless servlet on Jetty, with one tool: {@code echo}. */
final class JavaSdkServer {
  private JavaSdkServer() {}

  public static void main(String[] arguments) throws Exception {
    HttpServletStatelessServerTransport transport =
        HttpServletStatelessServerTransport.builder().messageEndpoint("/mcp").build();
    var _ =
        McpServer.sync(transport)
            .serverInfo("echo", "1")
            .capabilities(ServerCapabilities.builder().tools(false).build())
            .toolCall(
                Tool.builder("echo", Map.of("type", "object"))
                    .description("Says it again.")
                    .build(),
                (context, request) ->
                    CallToolResult.builder()
                        .addTextContent(String.valueOf(request.arguments().get("text")))
                        .build())
            .build();
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    ServletContextHandler handler = new ServletContextHandler("/");
    ServletHolder holder = new ServletHolder(transport);
    holder.setAsyncSupported(true);
    handler.addServlet(holder, "/mcp");
    server.setHandler(handler);
    server.start();
    System.out.println(connector.getLocalPort());
    server.join();
  }
}
