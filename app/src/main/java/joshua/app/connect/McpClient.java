package joshua.app.connect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import joshua.kernel.Json;

/** The MCP clients that {@code connect} knows, each with the form of its configuration. */
enum McpClient {
  CLAUDE_CODE(
      "Claude Code",
      "Run this in the directory of your project; it is for you alone, there. With claude's own --scope user"
          + " it is for all of your projects.",
      "Claude Code asks before it first calls a tool; --hooks, or --allowedTools 'mcp__grace__*' 'mcp__horace__*' at its"
          + " start, answers that."),
  CLAUDE_DESKTOP(
      "Claude Desktop",
      "This belongs into claude_desktop_config.json (Settings, Developer, Edit Config).",
      "Restart Claude Desktop then."),
  CODEX(
      "Codex",
      "Run this anywhere: Codex keeps it in ~/.codex/config.toml, for all of its windows.",
      ""),
  GEMINI(
      "Gemini CLI",
      "This belongs into .gemini/settings.json of your project, or of your home directory.",
      "Gemini CLI reads it only in a folder that you trust; it asks at its start. It asks before each"
          + " call, too: \"trust\": true beside the address answers that, and is needed with -p."),
  OPENCODE("OpenCode", "This belongs into opencode.json of your project.", ""),
  CURSOR(
      "Cursor",
      "This belongs into .cursor/mcp.json of your project, or of your home directory.",
      "Enable the server in Settings, MCP, where Cursor shows it as off."),
  VSCODE(
      "VS Code",
      "This belongs into .vscode/mcp.json of your project.",
      "VS Code asks whether you trust the server when it first starts it."),
  WINDSURF(
      "Windsurf",
      "This belongs into ~/.codeium/windsurf/mcp_config.json.",
      "Press refresh in Cascade's list of MCP servers then."),
  CLINE("Cline", "This belongs into cline_mcp_settings.json (MCP Servers, Configure).", ""),
  ZED(
      "Zed",
      "This belongs into .zed/settings.json of your project, or ~/.config/zed/settings.json.",
      "Zed puts in no variables: a token stands there itself."),
  LANGCHAIN("LangChain", "This is Python, with langchain-mcp-adapters.", ""),
  OTHER(
      "any other client",
      "This is what most clients take, by whatever name they give to these members.",
      "");

  /** How long clients wait for a call that would give up after a minute: a poll may wait longer. */
  static final int TIMEOUT_SECONDS = 120;

  private final String title;
  private final String use;
  private final String more;

  McpClient(String title, String use, String more) {
    this.title = title;
    this.use = use;
    this.more = more;
  }

  String title() {
    return title;
  }

  /** What to do with its configuration. */
  String use(List<ServerEntry> servers) {
    return tomlFile(servers)
        .map(
            "This belongs into %s of your project; Codex reads it if you trust the project."
                ::formatted)
        .orElse(use);
  }

  /** The command for another turn of its last session in a directory, if it has one. */
  Optional<String> turn() {
    return switch (this) {
      case CLAUDE_CODE -> Optional.of("claude -c -p {text}");
      case CODEX -> Optional.of("codex exec resume --last {text}");
      case GEMINI -> Optional.of("gemini --resume latest -p {text}");
      case OPENCODE -> Optional.of("opencode run -c {text}");
      default -> Optional.empty();
    };
  }

  /** What else it wants from its user; may be empty. */
  String more() {
    return more;
  }

  /** Its name as it is typed. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether it can only be told of a process. */
  boolean startsProcesses() {
    return this == CLAUDE_DESKTOP;
  }

  /** Its configuration, or the commands that change it. */
  String configuration(List<ServerEntry> servers) {
    List<List<String>> commands =
        servers.stream().map(this::adding).flatMap(Optional::stream).toList();
    if (!commands.isEmpty()) {
      return commands.stream().map(ServerEntry::shell).collect(Collectors.joining("\n"));
    }
    if (tomlFile(servers).isPresent()) {
      return servers.stream().map(ServerEntry::toml).collect(Collectors.joining("\n\n"));
    }
    ObjectNode all = Json.object();
    servers.forEach(server -> all.withObject("/" + member()).set(server.name(), entry(server)));
    return this == LANGCHAIN
        ? "client = MultiServerMCPClient(%s)"
            .formatted(ProjectFile.text(all.get(member())))
            .replaceAll("\"Bearer (\\w+)\"", "\"Bearer \" + os.environ[\"$1\"]")
        : ProjectFile.text(all);
  }

  /** The command that adds a server, of clients that have one. */
  Optional<List<String>> adding(ServerEntry server) {
    boolean byProcess = server.byProcess();
    List<String> words = new ArrayList<>();
    if (this == CLAUDE_CODE) {
      words.addAll(List.of("claude", "mcp", "add"));
      words.addAll(byProcess ? List.of() : List.of("--transport", "http"));
      words.addAll(List.of(server.name(), byProcess ? "--" : server.url()));
      if (server.needsHeader()) {
        words.addAll(List.of("--header", "Authorization: " + server.authorization("${%s}")));
      }
    } else if (this == CODEX && !server.isNamed()) {
      words.addAll(List.of("codex", "mcp", "add", server.name()));
      words.addAll(byProcess ? List.of("--") : List.of("--url", server.url()));
      if (server.needsHeader()) {
        words.addAll(List.of("--bearer-token-env-var", ServerEntry.TOKEN_VARIABLE));
      }
    } else {
      return Optional.empty();
    }
    words.addAll(byProcess ? server.command() : List.of());
    return Optional.of(words);
  }

  /** The command that takes a server out, of clients that don't replace it by adding it again. */
  Optional<List<String>> removing(ServerEntry server) {
    return this == CLAUDE_CODE
        ? Optional.of(List.of("claude", "mcp", "remove", "--scope", "local", server.name()))
        : Optional.empty();
  }

  /** The file of its user that {@link #adding} changes, of clients that keep no copy. */
  Optional<Path> userFile() {
    String home = System.getProperty("user.home") + "/.codex";
    return Optional.of(Path.of(System.getenv().getOrDefault("CODEX_HOME", home), "config.toml"))
        .filter(_ -> this == CODEX);
  }

  /** Codex' file in a project, for a name: its command would give that to all of its windows. */
  Optional<Path> tomlFile(List<ServerEntry> servers) {
    return Optional.of(Path.of(".codex", "config.toml"))
        .filter(_ -> this == CODEX && servers.getFirst().isNamed());
  }

  /** Its configuration file in a project's directory, if that is strict JSON. */
  Optional<Path> projectFile() {
    return switch (this) {
      case CURSOR -> Optional.of(Path.of(".cursor", "mcp.json"));
      case GEMINI -> Optional.of(Path.of(".gemini", "settings.json"));
      case OPENCODE -> Optional.of(Path.of("opencode.json"));
      case VSCODE -> Optional.of(Path.of(".vscode", "mcp.json"));
      default -> Optional.empty();
    };
  }

  /** The member of its configuration that has the servers. */
  String member() {
    return switch (this) {
      case OPENCODE -> "mcp";
      case VSCODE -> "servers";
      case ZED -> "context_servers";
      default -> "mcpServers";
    };
  }

  /** A server in its configuration. */
  ObjectNode entry(ServerEntry server) {
    boolean byProcess = server.byProcess();
    ObjectNode entry = Json.object();
    switch (this) {
      case OPENCODE -> entry.put("type", byProcess ? "local" : "remote");
      case VSCODE, OTHER -> entry.put("type", byProcess ? "stdio" : "http");
      case CLINE -> entry.put("type", byProcess ? "stdio" : "streamableHttp");
      default -> {}
    }
    if (byProcess && this == OPENCODE) {
      server.command().forEach(entry.putArray("command")::add);
    } else {
      entry.setAll(byProcess ? server.process() : byHttp(server));
    }
    return switch (this) {
      case OPENCODE -> entry.put("timeout", 1_000 * TIMEOUT_SECONDS);
      case CLINE, ZED -> entry.put("timeout", TIMEOUT_SECONDS);
      case LANGCHAIN -> entry.put("transport", byProcess ? "stdio" : "streamable_http");
      default -> entry;
    };
  }

  private ObjectNode byHttp(ServerEntry server) {
    return switch (this) {
      case GEMINI -> server.http("httpUrl", "$%s");
      case OPENCODE -> server.http("url", "{env:%s}");
      case WINDSURF -> server.http("serverUrl", "${env:%s}");
      case ZED, LANGCHAIN -> server.http("url", "%s");
      default -> server.http("url", "${env:%s}");
    };
  }
}
