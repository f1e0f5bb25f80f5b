package joshua.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The launcher in an installation that has been built, so that it doesn't build there. */
final class HouseLauncher {
  private HouseLauncher() {}

  /** Starts the launcher with these words, and returns at once. */
  static ProgramRun start(TestEnvironment testEnvironment, String... words) {
    List<String> command = new ArrayList<>(List.of("sh", house(testEnvironment).toString()));
    command.addAll(List.of(words));
    return start(testEnvironment, command);
  }

  /** As above, with a script of the installation. */
  static ProgramRun start(TestEnvironment testEnvironment, List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(testEnvironment.path().toFile());
    testEnvironment.setUp(builder.environment());
    builder
        .environment()
        .putAll(
            Map.of(
                "CI",
                "true",
                "JAVA_HOME",
                System.getProperty("java.home"),
                "JAVA_TOOL_OPTIONS",
                "-Djava.io.tmpdir=" + testEnvironment.scratch()));
    return testEnvironment.program(builder);
  }

  /** The launcher itself. */
  static Path house(TestEnvironment testEnvironment) {
    Path house = testEnvironment.path().resolve("house");
    Path launcher = house.resolve("joshua");
    if (Files.exists(launcher)) {
      return launcher;
    }
    try {
      Files.createDirectories(house.resolve("app"));
      Files.createDirectories(house.resolve("target/launcher"));
      Files.copy(BuiltProgram.HOME.resolve("joshua"), launcher);
      Files.createSymbolicLink(house.resolve("configs"), BuiltProgram.HOME.resolve("configs"));
      Files.createSymbolicLink(
          house.resolve("app/target"), BuiltProgram.HOME.resolve("app/target"));
      Files.createFile(house.resolve("target/launcher/built"));
      return launcher;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
