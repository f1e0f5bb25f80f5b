package joshua.app.connect;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Configures a client with servers, by its own command or in its file of the current directory. */
final class Setup {
  private final McpClient client;
  private final List<ServerEntry> servers;
  private final PrintWriter out;
  private final PrintWriter err;

  Setup(McpClient client, List<ServerEntry> servers, PrintWriter out, PrintWriter err) {
    this.client = client;
    this.servers = servers;
    this.out = out;
    this.err = err;
  }

  /** Does it, and says what; false where nothing was changed, and the user has to do it. */
  boolean run() throws IOException, InterruptedException {
    Optional<Path> file = client.projectFile();
    if (file.isPresent()) {
      return inFile(file.get());
    }
    if (client.adding(servers.getFirst()).isEmpty()) {
      err.println(
          "%s has no file in a project, nor a command: nothing was written."
              .formatted(client.title()));
      show();
      return false;
    }
    for (ServerEntry server : servers) {
      if (!byCommand(server)) {
        show();
        return false;
      }
    }
    return true;
  }

  private void show() {
    out.println(client.configuration(servers));
    client.use().forEach(err::println);
  }

  private boolean inFile(Path path) throws IOException {
    try {
      ProjectFile file = ProjectFile.read(path);
      for (ServerEntry server : servers) {
        file.put(client.member(), server.name(), client.entry(server));
      }
      file.write(out);
      return true;
    } catch (IOException e) {
      err.println(e.getMessage());
      show();
      return false;
    }
  }

  private boolean byCommand(ServerEntry server) throws IOException, InterruptedException {
    for (Path changed : client.userFile().filter(Files::exists).stream().toList()) {
      out.println(
          "What was in %s is kept in %s.".formatted(changed, ProjectFile.keepCopy(changed)));
    }
    for (List<String> removing : client.removing(server).stream().toList()) {
      var _ = run(removing, Redirect.DISCARD); // it fails where there was none
    }
    List<String> adding = client.adding(server).orElseThrow();
    out.println("$ " + ServerEntry.shell(adding));
    out.flush();
    Optional<Integer> status = run(adding, Redirect.INHERIT);
    if (status.isEmpty()) {
      err.println("%s can't be started: is it on your PATH?".formatted(adding.getFirst()));
    } else if (status.get() != 0) {
      err.println("%s ended with status %d.".formatted(adding.getFirst(), status.get()));
    }
    return status.filter(each -> each == 0).isPresent();
  }

  /** The exit status of a command; empty where it can't be started. */
  private static Optional<Integer> run(List<String> command, Redirect output)
      throws InterruptedException {
    try {
      return Optional.of(
          new ProcessBuilder(command)
              .redirectInput(Redirect.from(new File("/dev/null")))
              .redirectOutput(output)
              .redirectError(output)
              .start()
              .waitFor());
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
