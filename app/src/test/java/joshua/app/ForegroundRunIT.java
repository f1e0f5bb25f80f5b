package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a run ends, seen from outside: signals to a JVM. */
class ForegroundRunIT {

  private record Program(Process process, BufferedReader output) implements AutoCloseable {
    static Program start(String mode, String... flags) throws Exception {
      List<String> command = new java.util.ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of(flags));
      command.addAll(
          List.of(
              "-cp",
              System.getProperty("java.class.path"),
              ForegroundProgram.class.getName(),
              mode));
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      return new Program(process, process.inputReader(StandardCharsets.UTF_8));
    }

    void signal(String name) throws Exception {
      new ProcessBuilder("kill", "-s", name, Long.toString(process.pid())).start().waitFor();
    }

    void awaitLine(String expected) throws Exception {
      String line = output.readLine();
      while (line != null && !line.equals(expected)) {
        line = output.readLine();
      }
      assertThat(line).isEqualTo(expected);
    }

    int exitStatus(Duration within) throws Exception {
      assertThat(process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
      return process.exitValue();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"INT", "TERM", "HUP"})
  void aSignalClosesEverythingInReverseAndEndsWithStatusZero(String signal) throws Exception {
    try (Program program = Program.start("plain")) {
      program.awaitLine("started");
      program.signal(signal);
      program.awaitLine("server closed");
      program.awaitLine("bus closed");
      assertThat(program.exitStatus(Duration.ofSeconds(5))).isZero();
    }
  }

  @Test
  void aSignalDuringTheStartClosesWhatHasStarted() throws Exception {
    try (Program program = Program.start("start-hangs")) {
      program.awaitLine("starting");
      program.signal("TERM");
      program.awaitLine("bus closed");
      assertThat(program.exitStatus(Duration.ofSeconds(5))).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"start-fails", "start-breaks"})
  void aStartThatFailsClosesWhatHasStarted(String mode) throws Exception {
    try (Program program = Program.start(mode)) {
      program.awaitLine("bus closed");
      assertThat(program.exitStatus(Duration.ofSeconds(5))).isEqualTo(1);
    }
  }

  @Test
  void aSecondCtrlCEndsItAtOnce() throws Exception {
    try (Program program = Program.start("close-hangs")) {
      program.awaitLine("started");
      program.signal("INT");
      long first = System.nanoTime();
      while (program.process().isAlive()
          && System.nanoTime() - first < Duration.ofSeconds(5).toNanos()) {
        program.signal("INT");
      }
      assertThat(program.exitStatus(Duration.ofSeconds(1))).isEqualTo(130);
    }
  }

  @Test
  void aPartThatHangsDoesNotKeepItFromEndingWithin10Seconds() throws Exception {
    try (Program program = Program.start("close-hangs")) {
      program.awaitLine("started");
      program.signal("TERM");
      program.awaitLine("bus closed");
      assertThat(program.exitStatus(ForegroundRun.END_WITHIN.plusSeconds(1))).isZero();
    }
  }

  @Test
  void aRunThatOnlyStartsEndsByItself() throws Exception {
    try (Program program = Program.start("plain", "-Djoshua.end-once-started=true")) {
      program.awaitLine("started");
      program.awaitLine("bus closed");
      assertThat(program.exitStatus(Duration.ofSeconds(5))).isZero();
    }
  }
}
