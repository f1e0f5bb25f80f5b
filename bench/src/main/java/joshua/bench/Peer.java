package joshua.bench;

import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A peer program to compare with. It writes a number when it is ready, and when asked. */
record Peer(Process process) implements AutoCloseable {
  private static final String INSTALL =
      "mkdir -p target/npm && cp src/main/npm/* target/npm && cd target/npm"
          + " && npm install --no-audit --no-fund --silent";

  static Peer start(Path directory, String program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(List.of(arguments));
    return new Peer(
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectError(Redirect.DISCARD)
            .start());
  }

  /** Starts a class of this program in a JVM of its own. */
  static Peer java(String jvmOption, Class<?> main, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(jvmOption));
    all.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    all.addAll(List.of(arguments));
    return start(MeasuredGroup.HOME, MeasuredGroup.JAVA, all.toArray(String[]::new));
  }

  /** Starts a script of the peers from npm; null where they can't be installed. */
  static @Nullable Peer node(Report report, String... script)
      throws IOException, InterruptedException {
    int status =
        new ProcessBuilder("sh", "-c", INSTALL)
            .directory(MeasuredGroup.HOME.resolve("bench").toFile())
            .start()
            .waitFor();
    if (status != 0) {
      report.skip("peers from npm", "npm install failed: it needs Node and npm.");
      return null;
    }
    return start(MeasuredGroup.TARGET.resolve("npm"), "node", script);
  }

  /** Writes it a line. */
  void ask(int question) throws IOException {
    BufferedWriter in = process.outputWriter();
    in.write(question + "\n");
    in.flush();
  }

  double number() throws IOException {
    String line = process.inputReader().readLine();
    if (line == null) {
      throw new IOException("A peer ended: " + process.info().commandLine().orElse("it is gone"));
    }
    return Double.parseDouble(line);
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
