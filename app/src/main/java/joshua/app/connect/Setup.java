package joshua.app.connect;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The configuration of a client with servers and hooks, done by the client's own command and in its
 * files of the current directory, or shown for the user to do.
 */
record Setup(
    McpClient client,
    List<ServerEntry> servers,
    Optional<ClientHooks> hooks,
    PrintWriter out,
    PrintWriter err) {
  /** Does it, and says what; false where something is left to the user, which is shown. */
  boolean run() throws IOException, InterruptedException {
    boolean done = false;
    if (client.projectFile().isEmpty()
        && client.tomlFile(servers).isEmpty()
        && client.adding(servers.getFirst()).isEmpty()) {
      err.println(
          "%s has no file in a project, nor a command: nothing was written."
              .formatted(client.title()));
    } else {
      done = inFiles() && byCommands();
    }
    if (done) {
      sayWhatItWants();
    } else {
      show();
    }
    return done;
  }

  /** Shows what is to be run, or put into which files. */
  void show() {
    out.println(client.configuration(servers));
    out.flush();
    err.println(client.use(servers));
    hooks.ifPresent(added -> {
      out.println(added.text());
      out.flush();
      err.println("The hooks belong into %s of your project.".formatted(added.file()));
    });
    sayWhatItWants();
  }

  private void sayWhatItWants() {
    boolean isAllowed = client == McpClient.CLAUDE_CODE && hooks.isPresent(); // by their file
    Stream.concat(Stream.of(isAllowed ? "" : client.more()), hooks.map(ClientHooks::use).stream())
        .filter(line -> !line.isEmpty())
        .forEach(err::println);
  }

  private boolean inFiles() throws IOException {
    Set<Path> paths = new LinkedHashSet<>(client.projectFile().stream().toList());
    hooks.filter(ClientHooks::isMerged).map(ClientHooks::file).ifPresent(paths::add);
    try {
      List<ProjectFile> files = new ArrayList<>();
      for (Path path : paths) {
        ProjectFile file = ProjectFile.read(path);
        if (client.projectFile().equals(Optional.of(path))) {
          for (ServerEntry server : servers) {
            file.put(client.member(), server.name(), client.entry(server));
          }
        }
        if (hooks.isPresent() && hooks.get().file().equals(path)) {
          file.merge(hooks.get().text());
        }
        files.add(file);
      }
      for (Path toml : client.tomlFile(servers).stream().toList()) {
        writeToml(toml);
      }
      for (ProjectFile file : files) {
        file.write(out);
      }
      for (ClientHooks own : hooks.filter(added -> !added.isMerged()).stream().toList()) {
        ProjectFile.write(own.file(), own.text() + "\n", out);
      }
      return true;
    } catch (IOException e) {
      err.println(e.getMessage());
      return false;
    }
  }

  /** One that has anything else in it is left alone: it isn't ours to rewrite. */
  private void writeToml(Path path) throws IOException {
    if (Files.exists(path)
        && !Files.readAllLines(path).stream()
            .allMatch(line -> servers.stream().anyMatch(server -> server.hasInToml(line)))) {
      throw new IOException("%s has more in it, and is left alone.".formatted(path));
    }
    String text = client.configuration(servers);
    if (Files.exists(path) && Files.readString(path).equals(text + "\n")) {
      out.println("%s has this already.".formatted(path));
      return;
    }
    out.println("Writing %s:%n%s".formatted(path, text));
    ProjectFile.write(path, text + "\n", out);
  }

  private boolean byCommands() throws IOException, InterruptedException {
    for (ServerEntry server : servers) {
      if (client.adding(server).isPresent() && !byCommand(server)) {
        return false;
      }
    }
    return true;
  }

  private boolean byCommand(ServerEntry server) throws IOException, InterruptedException {
    for (Path changed : client.userFile().filter(Files::exists).stream().toList()) {
      ProjectFile.keepCopy(changed, out);
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
