package joshua.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import joshua.app.McpConnection.Endpoint;
import joshua.kernel.Json;
import joshua.ssh.CommandLineParser;

/**
 * A kind of MCP client, and how to configure it for Joshua. The texts are Markdown that is readable
 * on a terminal as well.
 */
enum McpClientKind {
  CLAUDE_CODE("claude-code", "Claude Code") {
    @Override
    String bridge(McpConnection joshua) {
      return block("claude mcp add joshua -- " + joshua.command())
          + "\nor, to share it with everyone who works on a project, in its `.mcp.json`:\n\n"
          + block(pretty(json(joshua)));
    }

    @Override
    String direct(McpConnection joshua) {
      return "Over HTTP:\n\n"
          + each(
              joshua,
              mad ->
                  "claude mcp add --transport http %s %s%s"
                      .formatted(mad.server(), mad.http(), header(joshua, " --header ")))
          + "\nOver WebSocket:\n\n"
          + each(
              joshua,
              mad ->
                  "claude mcp add-json %s %s"
                      .formatted(
                          mad.server(),
                          CommandLineParser.quoted(Json.write(webSocket(joshua, mad)))));
    }

    private static ObjectNode webSocket(McpConnection joshua, Endpoint mad) {
      ObjectNode server = Json.object().put("type", "ws").put("url", mad.ws());
      return withHeader(server, joshua, "${" + TOKEN_VARIABLE + "}");
    }

    @Override
    ObjectNode json(McpConnection joshua) {
      return servers("mcpServers", stdio(joshua, true));
    }
  },

  CURSOR("cursor", "Cursor") {
    @Override
    String bridge(McpConnection joshua) {
      return "In `~/.cursor/mcp.json`, or in `.cursor/mcp.json` of a project:\n\n"
          + block(pretty(json(joshua)));
    }

    @Override
    String direct(McpConnection joshua) {
      ObjectNode servers = Json.object();
      for (Endpoint mad : joshua.endpoints()) {
        ObjectNode server = Json.object().put("url", mad.http());
        servers.set(mad.server(), withHeader(server, joshua, "${env:" + TOKEN_VARIABLE + "}"));
      }
      return "Over HTTP:\n\n" + block(pretty(Json.object().set("mcpServers", servers)));
    }

    @Override
    ObjectNode json(McpConnection joshua) {
      return servers("mcpServers", stdio(joshua, false));
    }
  },

  VSCODE("vscode", "VS Code") {
    @Override
    String bridge(McpConnection joshua) {
      return "In `.vscode/mcp.json`, or by the command \"MCP: Open User Configuration\":\n\n"
          + block(pretty(json(joshua)));
    }

    @Override
    String direct(McpConnection joshua) {
      ObjectNode config = Json.object();
      ObjectNode servers = config.putObject("servers");
      for (Endpoint mad : joshua.endpoints()) {
        ObjectNode server = Json.object().put("type", "http").put("url", mad.http());
        servers.set(mad.server(), withHeader(server, joshua, "${input:joshua-token}"));
      }
      if (joshua.tokens()) {
        config
            .putArray("inputs")
            .addObject()
            .put("type", "promptString")
            .put("id", "joshua-token")
            .put("description", "Joshua's bearer token")
            .put("password", true);
      }
      return "Over HTTP:\n\n" + block(pretty(config));
    }

    @Override
    ObjectNode json(McpConnection joshua) {
      return servers("servers", stdio(joshua, true));
    }
  },

  CODEX("codex", "Codex") {
    @Override
    String bridge(McpConnection joshua) {
      ArrayNode arguments = Json.object().putArray("args");
      joshua.arguments().forEach(arguments::add);
      return block("codex mcp add joshua -- " + joshua.command())
          + "\nor in `~/.codex/config.toml`:\n\n"
          + block(
              "[mcp_servers.joshua]\ncommand = %s\nargs = %s"
                  .formatted(text(joshua.launcher()), Json.write(arguments)));
    }

    @Override
    String direct(McpConnection joshua) {
      String token = joshua.tokens() ? "\nbearer_token_env_var = " + text(TOKEN_VARIABLE) : "";
      return "Over HTTP:\n\n"
          + each(
              joshua,
              mad ->
                  "[mcp_servers.%s]\nurl = %s%s".formatted(mad.server(), text(mad.http()), token));
    }

    private static String text(String value) {
      return Json.write(TextNode.valueOf(value));
    }

    @Override
    Optional<ObjectNode> snippet(McpConnection joshua) {
      return Optional.empty();
    }

    @Override
    ObjectNode json(McpConnection joshua) {
      throw new IllegalStateException("Codex reads TOML");
    }
  },

  INSPECTOR("inspector", "MCP Inspector") {
    @Override
    String bridge(McpConnection joshua) {
      return "With this in `joshua.json`:\n\n"
          + block(pretty(json(joshua)))
          + "\ncall\n\n"
          + block(
              "npx @modelcontextprotocol/inspector --cli --config joshua.json --server joshua --method tools/list");
    }

    @Override
    String direct(McpConnection joshua) {
      return "Over HTTP:\n\n"
          + each(
              joshua,
              mad ->
                  "npx @modelcontextprotocol/inspector --cli %s --transport http%s --method tools/list"
                      .formatted(mad.http(), header(joshua, " --header ")));
    }

    @Override
    ObjectNode json(McpConnection joshua) {
      return servers("mcpServers", stdio(joshua, true));
    }
  };

  /**
   * The variable that a client reads a token from; not a setting of ours, whose names it avoids.
   */
  static final String TOKEN_VARIABLE = "MY_JOSHUA_TOKEN";

  private static final DefaultPrettyPrinter PRETTY =
      new DefaultPrettyPrinter(
          Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER));

  private final String word;
  private final String title;

  McpClientKind(String word, String title) {
    this.word = word;
    this.title = title;
  }

  /** The kind as typed on the command line. */
  String word() {
    return word;
  }

  String title() {
    return title;
  }

  /** How the client starts the stdio bridge. */
  abstract String bridge(McpConnection joshua);

  /** How the client connects to the MADs directly. */
  abstract String direct(McpConnection joshua);

  /** Its configuration in JSON, with the stdio bridge. */
  abstract ObjectNode json(McpConnection joshua);

  /** The same, if the client takes JSON. */
  Optional<ObjectNode> snippet(McpConnection joshua) {
    return Optional.of(json(joshua));
  }

  /** JSON formatted for people. */
  static String pretty(JsonNode json) {
    try {
      return Json.shared().writer(PRETTY).writeValueAsString(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A code block. */
  private static String block(String code) {
    return code.lines()
        .map(line -> line.isEmpty() ? "\n" : "    " + line + "\n")
        .collect(Collectors.joining());
  }

  private static String each(McpConnection joshua, Function<Endpoint, String> line) {
    return joshua.endpoints().stream()
        .map(line)
        .map(McpClientKind::block)
        .collect(Collectors.joining());
  }

  private static ObjectNode servers(String member, ObjectNode server) {
    ObjectNode config = Json.object();
    config.putObject(member).set("joshua", server);
    return config;
  }

  private static ObjectNode stdio(McpConnection joshua, boolean typed) {
    ObjectNode server = Json.object();
    if (typed) {
      server.put("type", "stdio");
    }
    server.put("command", joshua.launcher());
    joshua.arguments().forEach(server.putArray("args")::add);
    return server;
  }

  private static ObjectNode withHeader(ObjectNode server, McpConnection joshua, String token) {
    if (joshua.tokens()) {
      server.putObject("headers").put("Authorization", "Bearer " + token);
    }
    return server;
  }

  private static String header(McpConnection joshua, String flag) {
    return joshua.tokens()
        ? flag
            + "\"Authorization: Bearer $(cat "
            + CommandLineParser.quoted(joshua.tokenFile())
            + ")\""
        : "";
  }
}
