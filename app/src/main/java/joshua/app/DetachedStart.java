package joshua.app;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;
import joshua.ssh.CommandLineParser;

/**
 * Starts the group in the background: through the launcher again, which supervises it and ignores
 * interrupts and the end of the terminal.
 */
record DetachedStart(Settings settings, ProcessEnvironment around) {
  /** The output of the launcher and the JVM themselves; that of the previous start has a number. */
  private static final String OUTPUT = "output.log";

  private static final Duration UP_WITHIN = Duration.ofMinutes(2);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);
  private static final int LONGEST_REASON = 16 * 1024;

  /**
   * Starts the group, and waits until it is up or has ended.
   *
   * @param words of the call to run in the background
   * @return the exit status
   */
  int run(List<String> words)
      throws IOException, ServiceUnavailableException, InterruptedException {
    Path data = settings.get(KnownSettings.DATA_DIR);
    if (DataDirectory.isHeld(data)) {
      throw new ServiceUnavailableException(DataDirectory.heldByAnother(data));
    }
    Path output = output(data);
    Process launcher = start(words, output);
    Instant latest = Instant.now().plus(UP_WITHIN);
    while (!launcher.waitFor(LOOK_AGAIN.toMillis(), TimeUnit.MILLISECONDS)) {
      Optional<RunFile> run = RunFile.find(data).filter(each -> isOf(launcher.pid(), each));
      if (run.isPresent()) {
        around.out().print(text(run.get(), data));
        return 0;
      }
      if (Instant.now().isAfter(latest)) {
        throw new ServiceUnavailableException(
            "The group isn't up after %d s, and goes on starting as process %d. %s and %s say how far it is."
                .formatted(UP_WITHIN.toSeconds(), launcher.pid(), LogFile.in(data), output));
      }
    }
    around.err().print(end(output));
    around
        .err()
        .println("joshua: the group has ended before it was up. What it said is in " + output);
    return launcher.exitValue() == 0
        ? ServiceUnavailableException.EXIT_STATUS
        : launcher.exitValue();
  }

  private static Path output(Path data) throws ServiceUnavailableException {
    try {
      Path output = LogFile.directory(data).resolve(OUTPUT);
      if (Files.exists(output)) {
        Files.move(
            output, output.resolveSibling(OUTPUT + ".1"), StandardCopyOption.REPLACE_EXISTING);
      }
      return output;
    } catch (IOException e) {
      throw new ServiceUnavailableException(
          "The data directory %s can't be used (%s). Make it writable, or set JOSHUA_DATA_DIR to another."
              .formatted(data, e),
          e);
    }
  }

  private Process start(List<String> words, Path output) throws IOException {
    // Signals that the shell ignores stay ignored in whatever it becomes and starts.
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", "trap '' INT HUP; exec \"$@\"", "sh"));
    command.add(around.home().resolve("joshua").toString());
    command.addAll(words);
    return new ProcessBuilder(command)
        .directory(around.workingDirectory().toFile())
        .redirectInput(new File("/dev/null"))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
        .start();
  }

  /** Without a supervisor the launcher becomes the JVM. */
  private static boolean isOf(long launcher, RunFile run) {
    long pid = run.pids().getOrDefault(RunFile.SELF, 0L);
    return pid == launcher
        || ProcessHandle.of(pid)
            .flatMap(ProcessHandle::parent)
            .filter(parent -> parent.pid() == launcher)
            .isPresent();
  }

  private String text(RunFile run, Path data) {
    String launcher = CommandLineParser.quoted(around.home().resolve("joshua").toString());
    String options = DataDirectory.option(settings);
    return """
    Joshua %s is up (process %d): %s.
    Its log is %s; %s logs -f%s follows it. What the launcher says, of a restart for instance, is in %s.
    Stop it with %5$s stop%6$s.
    """
        .formatted(
            BuildVersion.current(),
            run.pids().get(RunFile.SELF),
            new TreeMap<>(run.ports())
                .entrySet().stream()
                    .map(port -> port.getKey() + " " + port.getValue())
                    .collect(Collectors.joining(", ")),
            LogFile.in(data),
            launcher,
            options,
            LogFile.in(data).resolveSibling(OUTPUT));
  }

  private static String end(Path output) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(output.toFile(), "r")) {
      file.seek(Math.max(0, file.length() - LONGEST_REASON));
      byte[] bytes = new byte[LONGEST_REASON];
      int read = Math.max(0, file.read(bytes));
      return new String(bytes, 0, read, StandardCharsets.UTF_8);
    }
  }
}
