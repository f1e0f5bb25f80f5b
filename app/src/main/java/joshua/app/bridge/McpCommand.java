package joshua.app.bridge;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.Callable;
import joshua.app.settings.ConsoleCommand;
import joshua.ssh.ExitStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mcp}: lets a client of MCP that can only start a process onto the bus (+JN-06). */
@Command(name = "mcp", description = "Serves a service's MCP on standard input and output.")
public final class McpCommand extends ConsoleCommand implements Callable<Integer> {
  @Mixin private ServiceOptions options;

  @Parameters(
      arity = "0..1",
      defaultValue = "grace",
      paramLabel = "SERVICE",
      description =
          "Whose tools: ${DEFAULT-VALUE} if left out. What follows the name is put behind the"
              + " address: grace?client_id=ann.")
  private String service;

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
    ParentProcess parent = new ParentProcess();
    // System.out wouldn't say that nobody reads it.
    new StdioBridge(
            options.service(parts[0], behind),
            new FileOutputStream(FileDescriptor.out),
            () -> !stay && parent.hasEnded())
        .run(System.in);
    return ExitStatus.OK;
  }
}
