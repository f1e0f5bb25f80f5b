package joshua.app.connect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import joshua.kernel.Json;

/** The clients of MCP that {@code connect} knows, and how each is told of services. */
enum McpClient {
  CLAUDE_CODE(
      "Claude Code", "Run this in the folder of your project; with --scope user, anywhere."),
  CLAUDE_DESKTOP(
      "Claude Desktop", "This belongs into claude_desktop_config.json (Settings, Developer)."),
  CODEX("Codex", "This belongs into ~/.codex/config.toml."),
  CURSOR("Cursor", "This belongs into .cursor/mcp.json, of a project or in your home directory."),
  GEMINI("Gemini CLI", "This belongs into ~/.gemini/settings.json."),
  INSPECTOR("MCP Inspector", "Run this in a shell."),
  VSCODE("VS Code", "This belongs into .vscode/mcp.json of a project.");

  /** Where clients take a token from; no setting of ours, whose names it avoids. */
  static final String TOKEN_VARIABLE = "MY_JOSHUA_TOKEN";

  /**
   * A service, as clients are told of it.
   *
   * @param command starts a process that serves it on its standard input and output
   * @param byProcess it is reached by that, in place of HTTP
   * @param token whether it asks for one
   */
  record Server(String name, String url, List<String> command, boolean byProcess, boolean token) {}

  private final String title;
  private final String use;

  McpClient(String title, String use) {
    this.title = title;
    this.use = use;
  }

  String title() {
    return title;
  }

  /** What to do with what it reads. */
  String use() {
    return use;
  }

  /** Its name as it is typed. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What it reads, or a command that tells it. */
  String configuration(List<Server> servers) {
    return switch (this) {
      case CLAUDE_CODE -> lines(servers, McpClient::claude);
      case CLAUDE_DESKTOP -> json("mcpServers", servers, McpClient::started);
      case CODEX -> lines(servers, McpClient::toml);
      case CURSOR -> json("mcpServers", servers, server -> described(server, "url", "${env:%s}"));
      case GEMINI -> json("mcpServers", servers, server -> described(server, "httpUrl", "$%s"));
      case INSPECTOR ->
          lines(
              servers,
              server ->
                  "npx @modelcontextprotocol/inspector --cli %s --transport http%s --method tools/list"
                      .formatted(server.url(), header(server)));
      case VSCODE -> json("servers", servers, server -> described(server, "url", "${env:%s}"));
    };
  }

  private static String claude(Server server) {
    return server.byProcess()
        ? "claude mcp add %s -- %s".formatted(server.name(), shell(server.command()))
        : "claude mcp add --transport http %s %s%s"
            .formatted(server.name(), server.url(), header(server));
  }

  private static String lines(List<Server> servers, Function<Server, String> line) {
    return servers.stream().map(line).collect(Collectors.joining("\n"));
  }

  private static String json(
      String member, List<Server> servers, Function<Server, ObjectNode> described) {
    ObjectNode all = Json.object();
    servers.forEach(
        server -> all.withObject("/" + member).set(server.name(), described.apply(server)));
    return all.toPrettyString();
  }

  private static ObjectNode started(Server server) {
    ObjectNode described = Json.object().put("command", server.command().getFirst());
    server.command().stream().skip(1).forEach(described.putArray("args")::add);
    return described;
  }

  /** A service in JSON: the member with its address, and how the client refers to a variable. */
  private static ObjectNode described(Server server, String member, String variable) {
    if (server.byProcess()) {
      return started(server);
    }
    ObjectNode described = Json.object();
    if (member.equals("url")) {
      described.put("type", "http");
    }
    described.put(member, server.url());
    if (server.token()) {
      described
          .putObject("headers")
          .put("Authorization", "Bearer " + variable.formatted(TOKEN_VARIABLE));
    }
    return described;
  }

  /** A service in TOML, whose strings and arrays are those of JSON. */
  private static String toml(Server server) {
    ObjectNode described =
        server.byProcess() ? started(server) : Json.object().put("url", server.url());
    if (server.token() && !server.byProcess()) {
      described.put("bearer_token_env_var", TOKEN_VARIABLE);
    }
    StringBuilder table = new StringBuilder("[mcp_servers.%s]".formatted(server.name()));
    described
        .properties()
        .forEach(member -> table.append("\n%s = %s".formatted(member.getKey(), member.getValue())));
    return table.toString();
  }

  private static String header(Server server) {
    return server.token()
        ? " --header \"Authorization: Bearer $%s\"".formatted(TOKEN_VARIABLE)
        : "";
  }

  private static String shell(List<String> command) {
    return command.stream()
        .map(word -> word.matches("[-\\w./:@+=]+") ? word : "'" + word.replace("'", "'\\''") + "'")
        .collect(Collectors.joining(" "));
  }
}
