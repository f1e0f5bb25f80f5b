package joshua.app.connect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import joshua.kernel.Json;

/**
 * One MCP server in a client's configuration.
 *
 * @param url its address by HTTP, with the client's name in it where it was given one
 * @param command starts a process that serves it on standard input and output
 * @param byProcess whether the client is to use that, in place of HTTP
 * @param token whether it asks for a token
 */
record ServerEntry(
    String name, String url, List<String> command, boolean byProcess, boolean token) {
  /** Where clients take a token from; no setting of ours, whose names it avoids. */
  static final String TOKEN_VARIABLE = "MY_JOSHUA_TOKEN";

  /** The header by which a client shows its token, which it takes from a variable. */
  String authorization(String reference) {
    return "Bearer " + reference.formatted(TOKEN_VARIABLE);
  }

  /** Whether a token goes into a header of HTTP; the process reads it from a file. */
  boolean needsHeader() {
    return token && !byProcess;
  }

  /** Whether its address has defaults, the client's name for one, that are not for all windows. */
  boolean isNamed() {
    return url.contains("?");
  }

  /** A section of TOML, as Codex has it. */
  String toml() {
    ObjectNode members = byProcess ? process() : Json.object().put("url", url);
    if (needsHeader()) {
      members.put("bearer_token_env_var", TOKEN_VARIABLE);
    }
    return members.put("tool_timeout_sec", McpClient.TIMEOUT_SECONDS).properties().stream()
        .map(member -> "%s = %s".formatted(member.getKey(), member.getValue()))
        .collect(Collectors.joining("\n", "[mcp_servers.%s]\n".formatted(name), ""));
  }

  /** Whether a line may be one of that. */
  boolean hasInToml(String line) {
    return line.equals("[mcp_servers.%s]".formatted(name))
        || line.matches("|(url|command|args|bearer_token_env_var|tool_timeout_sec) = .*");
  }

  /** The members {@code command} and {@code args}, as most clients have them. */
  ObjectNode process() {
    ObjectNode described = Json.object().put("command", command.getFirst());
    command.stream().skip(1).forEach(described.putArray("args")::add);
    return described;
  }

  /**
   * The members for HTTP.
   *
   * @param urlMember what the client calls the address
   * @param reference how it refers to a variable of the environment, with {@code %s} for the name
   */
  ObjectNode http(String urlMember, String reference) {
    ObjectNode described = Json.object().put(urlMember, url);
    if (token) {
      described.putObject("headers").put("Authorization", authorization(reference));
    }
    return described;
  }

  /** A command as a line of a shell. */
  static String shell(List<String> command) {
    return command.stream()
        .map(word -> word.matches("[-\\w./:@+=]+") ? word : "'" + word.replace("'", "'\\''") + "'")
        .collect(Collectors.joining(" "));
  }
}
