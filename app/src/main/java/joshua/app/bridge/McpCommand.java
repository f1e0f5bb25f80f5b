package joshua.app.bridge;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import joshua.app.group.RunFile;
import joshua.app.settings.CommonSettings;
import joshua.app.settings.ConsoleCommand;
import joshua.app.settings.DataDirectoryOption;
import joshua.ssh.ExitStatus;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mcp}: lets a client of MCP that can only start a process onto the bus (+JN-06). */
@Command(name = "mcp", description = "Serves a service's MCP on standard input and output.")
public final class McpCommand extends ConsoleCommand implements Callable<Integer> {
  @Mixin private DataDirectoryOption data;

  @Parameters(
      arity = "0..1",
      defaultValue = "grace",
      paramLabel = "SERVICE",
      description =
          "Whose tools: ${DEFAULT-VALUE} if left out. What follows the name is put behind the"
              + " address: grace?client_id=ann.")
  private String service;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "Its address, if it isn't of the group in the data directory.")
  private @Nullable URI url;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "Holds the token that is shown to it.")
  private @Nullable Path tokenFile;

  @Option(
      names = "--stay",
      description = "Outlives the process that started it; its input's end ends it all the same.")
  private boolean stay;

  @Override
  public Integer call() throws IOException, InterruptedException {
    String[] parts = service.split("(?=[/?])", 2);
    String behind = parts.length == 1 ? "" : parts[1];
    try {
      URI.create(behind);
    } catch (IllegalArgumentException e) {
      throw wrong("%s can't be part of an address; percent-encode it.".formatted(behind));
    }
    RemoteService remote =
        new RemoteService(
            parts[0],
            () -> address(parts[0]).map(found -> URI.create(found + behind)),
            CommonSettings.secret(tokenFile));
    // Init is nobody's client; in a container there is no parent.
    Optional<ProcessHandle> parent = parent().filter(each -> !stay && each.pid() > 1);
    // System.out wouldn't say that nobody reads it.
    new StdioBridge(
            remote,
            new FileOutputStream(FileDescriptor.out),
            () -> parent.isPresent() && !parent.equals(parent()))
        .run(System.in);
    return ExitStatus.OK;
  }

  private static Optional<ProcessHandle> parent() {
    return ProcessHandle.current().parent();
  }

  /** Where the service is now, which may be elsewhere after its next start. */
  private Optional<URI> address(String name) throws IOException {
    return url == null
        ? RunFile.read(data.dataDirectory()).map(run -> run.services().get(name)).map(URI::create)
        : Optional.of(url);
  }
}
