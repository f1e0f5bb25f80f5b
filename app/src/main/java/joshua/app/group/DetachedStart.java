package joshua.app.group;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import joshua.app.settings.CommonSettings;
import joshua.app.settings.Launcher;
import joshua.kernel.PrivateFile;
import joshua.ssh.ExitStatus;
import picocli.CommandLine;

/** The start of a group in the background, {@code up -d}: this program in a session of its own. */
final class DetachedStart {
  /** The option that tells the process in the background that its output is the log file. */
  static final String DETACHED = "--detached";

  /** Makes a session, so that Ctrl-C in this terminal doesn't reach the group. */
  private static final Path SETSID = Path.of("/usr/bin/setsid");

  private static final long LOOK_EVERY_MS = 50;

  private DetachedStart() {}

  /** Starts the group, waits until it is ready or has ended, and says which. */
  static int run(CommonSettings settings, String version, CommandLine up)
      throws IOException, InterruptedException {
    Path data = settings.dataDirectory();
    PrintWriter out = up.getOut();
    Optional<RunFile> running = RunFile.read(data);
    if (running.isPresent()) {
      out.println("A group runs already, process %d.".formatted(running.get().pid()));
      running.get().difference(version).ifPresent(up.getErr()::println);
      return ExitStatus.OK;
    }
    Path log = log(settings);
    PrivateFile.createDirectories(log.resolveSibling(""));
    PrivateFile.createIfAbsent(log);
    long before = Files.size(log);
    Process process =
        new ProcessBuilder(command(up.getParseResult().originalArgs()))
            .redirectInput(Redirect.from(new File("/dev/null")))
            .redirectOutput(Redirect.appendTo(log.toFile()))
            .redirectErrorStream(true)
            .start();
    while (!process.waitFor(LOOK_EVERY_MS, TimeUnit.MILLISECONDS)) {
      Optional<RunFile> run = RunFile.read(data).filter(file -> file.pid() == process.pid());
      if (run.isPresent()) {
        Banner.lines(run.get(), settings).forEach(out::println);
        out.println("Its log: " + log);
        out.flush();
        return ExitStatus.OK;
      }
    }
    PrintWriter err = up.getErr();
    err.println("The group ended at once. In %s:".formatted(log));
    try (InputStream written = Files.newInputStream(log)) {
      written.skip(before); // less of it, if it has been rotated since
      List<String> lines = new String(written.readAllBytes(), UTF_8).lines().toList();
      List<String> sentences = lines.stream().filter(line -> !line.startsWith("{")).toList();
      (sentences.isEmpty() ? lines : sentences).forEach(err::println); // without logged JSON
    }
    return process.exitValue();
  }

  /** Where the group in the background logs, which is its standard output and error, too. */
  static Path log(CommonSettings settings) {
    return settings.dataDirectory().resolve("logs").resolve("joshua.log");
  }

  private static List<String> command(List<String> arguments) throws IOException {
    Path launcher =
        Launcher.path().orElseThrow(() -> new IOException("-d needs the launcher: ./joshua up -d"));
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(SETSID)) {
      command.add(SETSID.toString());
    }
    command.add(launcher.toString());
    for (String argument : arguments) {
      command.add(argument.equals("-d") || argument.equals("--detach") ? DETACHED : argument);
    }
    return command;
  }
}
