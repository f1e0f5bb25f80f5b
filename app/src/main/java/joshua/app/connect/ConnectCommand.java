package joshua.app.connect;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import joshua.app.connect.McpClient.Server;
import joshua.app.group.RunFile;
import joshua.app.settings.ConsoleCommand;
import joshua.app.settings.DataDirectoryOption;
import joshua.kernel.SpellingSuggestion;
import joshua.ssh.ExitStatus;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code connect}: tells a client of MCP of the services. Standard output is what to run or what to
 * put into a file, and nothing else; standard error says which.
 */
@Command(name = "connect", description = "Shows how a client of MCP is told of the services.")
public final class ConnectCommand extends ConsoleCommand implements Callable<Integer> {
  @Mixin private DataDirectoryOption data;

  @Parameters(
      arity = "0..1",
      paramLabel = "CLIENT",
      description = "Which client; without it, those that are known are listed.")
  private @Nullable String named;

  @Option(
      names = "--process",
      description = "Have the client start ./joshua mcp, in place of connecting by HTTP.")
  private boolean process;

  @Option(
      names = "--tokens-file",
      paramLabel = "FILE",
      description = "With it, services ask for a token.")
  private @Nullable Path tokensFile;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "Holds the token that ./joshua mcp shows.")
  private @Nullable Path tokenFile;

  private final Supplier<Map<String, String>> usual;

  /** The command; {@code usual} has the addresses of services where no group runs. */
  public ConnectCommand(Supplier<Map<String, String>> usual) {
    this.usual = usual;
  }

  @Override
  public Integer call() throws IOException {
    if (named == null) {
      for (McpClient client : McpClient.values()) {
        out().println("%-15s %s".formatted(client.word(), client.title()));
      }
      return ExitStatus.OK;
    }
    McpClient client = client(named);
    boolean byProcess = process || client == McpClient.CLAUDE_DESKTOP;
    boolean token = tokensFile != null;
    List<Server> servers = new ArrayList<>();
    RunFile.read(data.dataDirectory())
        .map(RunFile::services)
        .orElseGet(usual)
        .forEach((name, url) -> servers.add(new Server(name, url, bridge(name), byProcess, token)));
    out().println(client.configuration(servers));
    err().println(client.use());
    if (token) {
      err()
          .println(
              byProcess
                  ? "The token is what the file JOSHUA_TOKEN_FILE holds."
                  : "The token is what the variable %s holds.".formatted(McpClient.TOKEN_VARIABLE));
    }
    return ExitStatus.OK;
  }

  private McpClient client(String word) {
    for (McpClient client : McpClient.values()) {
      if (client.word().equals(word)) {
        return client;
      }
    }
    List<String> words = Stream.of(McpClient.values()).map(McpClient::word).toList();
    throw wrong(
        "There is no client %s%s; there are %s."
            .formatted(
                word,
                SpellingSuggestion.nearest(word, words)
                    .map(" (did you mean %s?)"::formatted)
                    .orElse(""),
                String.join(", ", words)));
  }

  private List<String> bridge(String service) {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("joshua.launcher", "joshua"));
    command.addAll(List.of("mcp", service, "--data-dir", data.dataDirectory().toString()));
    if (tokenFile != null) {
      command.addAll(List.of("--token-file", tokenFile.toAbsolutePath().toString()));
    }
    return command;
  }
}
