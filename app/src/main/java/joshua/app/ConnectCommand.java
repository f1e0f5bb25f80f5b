package joshua.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.kernel.Settings;
import joshua.kernel.SpellingSuggestion;
import joshua.ssh.CommandLineParser;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code joshua connect}: prints how to configure an MCP client for the group. */
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

      This page is the output of `joshua connect --markdown`. `./joshua connect claude-code` prints the section of one
      client with the path and the ports of your group; `-o json` prints just the configuration, for clients that take JSON.

      For each client, the first configuration is the stdio bridge, `joshua mcp`, which the client starts: it serves
      the tools of all MADs, also works before the group is started, and survives restarts of the group. The others
      connect to a single running MAD. If tokens are in force (`JOSHUA_TOKENS_FILE`),
      `./joshua token create NAME >TOKEN-FILE` creates one; start the bridge with `--token-file TOKEN-FILE`, and give
      the others a header `Authorization: Bearer …`. [mcp-clients.md](../protocol/mcp-clients.md) says how clients cope
      with a restart.
      """;

  private static final String SEVERAL_GRACES =
      """
      ## Several Graces

      Several Graces may share one Redis (`joshua grace`; if they share a data directory, one of them has the admin socket).
      Any of them accepts sends, and a broadcast reaches the clients of all; a client's queue is at one of them, its home, and
      must be polled there. A client that polls another Grace with a cursor gets `not_subscribed`, with a `gap` whose reason is
      `restart`, because the cursor belongs to another epoch ([tools](../protocol/tools.md)).

      **The stdio bridge** finds the home by itself if it is given the addresses of all Graces:

          joshua mcp --grace-urls http://10.0.0.1:8000,http://10.0.0.2:8000 --token-file TOKEN-FILE

      Every bridge must spell each `host:port` the same way; the order doesn't matter. The home of a `client_id`
      is the Grace whose line has the greatest hash, so other clients can compute it, too:

          for grace in 10.0.0.1:8000 10.0.0.2:8000; do
            printf '%s %s\\n' "$(printf 'ann\\n%s' "$grace" | sha256sum | cut -c 1-64)" "$grace"
          done | sort | tail -n 1

      An additional Grace becomes the home of its share of the clients, and the other clients stay where they are. If a home
      is away, calls about its queues are refused with `bus_unavailable` and its address as `home`; sends go through another
      Grace. A queue isn't created elsewhere in the meantime, because what it missed would be unknown.

      **A load balancer** in front of the Graces can't see a client's id, because no header of MCP carries `client_id`. With
      tokens in force, however, the token stands for it. So let the balancer hash the `Authorization` header, which HTTP
      requests and WebSocket upgrades both have, and add its name to `JOSHUA_ALLOWED_HOSTS`; with nginx, for example:

          upstream graces {
            hash $http_authorization consistent;
            server 10.0.0.1:8000;
            server 10.0.0.2:8000;
          }
          map $http_upgrade $connection_upgrade {
            default upgrade;
            ''      close;
          }
          server {
            listen 8000;
            location / {
              proxy_pass http://graces;
              proxy_http_version 1.1;
              proxy_set_header Host $http_host;
              proxy_set_header Upgrade $http_upgrade;
              proxy_set_header Connection $connection_upgrade;
              proxy_buffering off;
            }
          }

      Its hash differs from the bridge's, so a client must use one way or the other. A bridge may also use the balancer
      as its only URL. A new token for the same client may lead to another Grace, which the client notices like any other move.
      """;

  /** The clients as typed on the command line, for completion. */
  static final class Clients implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return words().iterator();
    }
  }

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "CLIENT",
      completionCandidates = Clients.class,
      description = "claude-code, cursor, vscode, codex or inspector.")
  private @Nullable String client;

  @Mixin private FormatOption format = new FormatOption();

  @Option(
      names = "--markdown",
      description = "Print docs/operating/connecting.md: all clients, with default ports.")
  private boolean markdown;

  @Override
  public int run(Settings settings, ProcessEnvironment around) throws UsageException {
    if (markdown) {
      around.out().print(page());
      return 0;
    }
    McpClientKind kind = kind();
    McpConnection joshua = McpConnection.to(settings, around);
    if (format.json()) {
      around.out().println(McpClientKind.pretty(json(kind, joshua)));
    } else {
      around.out().print(text(kind, joshua));
    }
    return 0;
  }

  private static List<String> words() {
    return Stream.of(McpClientKind.values()).map(McpClientKind::word).toList();
  }

  private McpClientKind kind() throws UsageException {
    List<String> words = words();
    for (McpClientKind kind : McpClientKind.values()) {
      if (kind.word().equals(client)) {
        return kind;
      }
    }
    String those = "joshua connect " + String.join("|", words);
    throw new UsageException(
        List.of(
            client == null
                ? "CLIENT is missing: " + those
                : "\"%s\" is not a client that is known here%s"
                    .formatted(
                        client,
                        SpellingSuggestion.nearest(client, words)
                            .map(near -> "; did you mean " + near + "?")
                            .orElse(": " + those))));
  }

  private static ObjectNode json(McpClientKind kind, McpConnection joshua) throws UsageException {
    Optional<ObjectNode> snippet = kind.snippet(joshua);
    if (snippet.isEmpty()) {
      throw new UsageException(List.of(kind.title() + " takes no JSON; leave -o json away"));
    }
    return snippet.get();
  }

  private static String text(McpClientKind kind, McpConnection joshua) {
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
              .formatted(CommandLineParser.quoted(joshua.tokenFile())));
    }
    if (text.indexOf(McpClientKind.TOKEN_VARIABLE) >= 0) {
      text.append(
          "%s is an environment variable of the client's that holds the token.%n"
              .formatted(McpClientKind.TOKEN_VARIABLE));
    }
    return text.toString();
  }

  private static String page() {
    McpConnection joshua = McpConnection.example();
    List<String> sections = new ArrayList<>(List.of(MARKDOWN_HEAD));
    for (McpClientKind kind : McpClientKind.values()) {
      sections.add(
          "## %s\n\n%s\n%s".formatted(kind.title(), kind.bridge(joshua), kind.direct(joshua)));
    }
    sections.add(SEVERAL_GRACES);
    return sections.stream().collect(Collectors.joining("\n"));
  }
}
