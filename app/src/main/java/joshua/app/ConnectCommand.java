package joshua.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.kernel.Settings;
import joshua.kernel.Spelling;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code joshua connect}: how an MCP client is told of the group. */
@Command(
    name = "connect",
    description = "Print how to configure an MCP client for this group.",
    footer = {
      "",
      "Examples:",
      "  joshua connect claude-code",
      "  joshua connect cursor -o json > .cursor/mcp.json"
    })
final class ConnectCommand implements Subcommand {
  private static final String MARKDOWN_HEAD =
      """
      # Connecting MCP clients

      This page is what `joshua connect --markdown` prints; `./joshua connect claude-code` prints the same with
      the path and the ports of a group, and `-o json` a client's configuration alone, where it takes JSON.

      The first way shown is the stdio bridge, `joshua mcp`, which the client starts: it stands for all MADs,
      is there before the group is, and outlives restarts. The others connect to one MAD each, while it runs.
      Where tokens are in force (`JOSHUA_TOKENS_FILE`), `./joshua token create NAME >TOKEN-FILE` makes one; the
      bridge is then started with `--token-file TOKEN-FILE`, and the others get a header
      `Authorization: Bearer …`.
      """;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "CLIENT",
      description = "claude-code, cursor, vscode, codex or inspector.")
  private @Nullable String client;

  @Option(names = "-o", description = "text or json.")
  private OutputFormat format = OutputFormat.TEXT;

  @Option(
      names = "--markdown",
      description = "Print docs/operating/connecting.md: all clients, with default ports.")
  private boolean markdown;

  @Override
  public int run(Settings settings, Surroundings around) throws Misuse {
    if (markdown) {
      around.out().print(page());
      return 0;
    }
    McpClientKind kind = kind();
    Connection joshua = Connection.to(settings, around);
    switch (format) {
      case JSON -> around.out().println(McpClientKind.pretty(json(kind, joshua)));
      case TEXT -> around.out().print(text(kind, joshua));
    }
    return 0;
  }

  private McpClientKind kind() throws Misuse {
    List<String> words = Stream.of(McpClientKind.values()).map(McpClientKind::word).toList();
    for (McpClientKind kind : McpClientKind.values()) {
      if (kind.word().equals(client)) {
        return kind;
      }
    }
    String those = "joshua connect " + String.join("|", words);
    throw new Misuse(
        List.of(
            client == null
                ? "CLIENT is missing: " + those
                : "\"%s\" is not a client that is known here%s"
                    .formatted(
                        client,
                        Spelling.nearest(client, words)
                            .map(near -> "; did you mean " + near + "?")
                            .orElse(": " + those))));
  }

  private static ObjectNode json(McpClientKind kind, Connection joshua) throws Misuse {
    Optional<ObjectNode> snippet = kind.snippet(joshua);
    if (snippet.isEmpty()) {
      throw new Misuse(List.of(kind.title() + " takes no JSON; leave -o json away"));
    }
    return snippet.get();
  }

  private static String text(McpClientKind kind, Connection joshua) {
    StringBuilder text = new StringBuilder();
    text.append(
        "%s, with the stdio bridge, which finds the group by itself:%n%n%s%n"
            .formatted(kind.title(), kind.bridge(joshua)));
    if (joshua.endpoints().isEmpty()) {
      text.append("Nothing runs now, so there is no other way to show.\n");
    } else {
      text.append("Without the bridge, while the group runs:\n\n").append(kind.direct(joshua));
    }
    if (joshua.tokens()) {
      text.append(
          """

          Tokens are in force. ./joshua token create NAME >%s makes one; keep the file to yourself
          (chmod 600).
          """
              .formatted(Connection.quoted(joshua.tokenFile())));
    }
    if (text.indexOf(McpClientKind.TOKEN_VARIABLE) >= 0) {
      text.append(
          "%s is an environment variable of the client's that holds the token.%n"
              .formatted(McpClientKind.TOKEN_VARIABLE));
    }
    return text.toString();
  }

  private static String page() {
    Connection joshua = Connection.example();
    List<String> sections = new ArrayList<>(List.of(MARKDOWN_HEAD));
    for (McpClientKind kind : McpClientKind.values()) {
      sections.add(
          "## %s\n\n%s\n%s".formatted(kind.title(), kind.bridge(joshua), kind.direct(joshua)));
    }
    return sections.stream().collect(Collectors.joining("\n"));
  }
}
