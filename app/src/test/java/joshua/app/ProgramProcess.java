package joshua.app;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts the program in a separate process, as it was compiled. */
final class ProgramProcess {
  private ProgramProcess() {}

  static List<String> command(String... args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(Main.class.getName());
    command.addAll(List.of(args));
    command.addAll(List.of("--settings-file", "/dev/null"));
    return command;
  }
}
