package joshua.e2e;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The built program, and how the launcher starts it. */
final class BuiltProgram {
  /** Joshua's own directory: the tests run in its module e2e. */
  static final Path HOME = Path.of("").toAbsolutePath().getParent();

  private static final Path JAR = HOME.resolve("app/target/joshua.jar");
  private static final Path OPTIONS = HOME.resolve("configs/jvm.options");
  private static final Set<String> LASTING = Set.of("up", "grace", "rogers");

  private BuiltProgram() {}

  /**
   * The command line that runs {@code words}, the first of them a subcommand.
   *
   * @param scratch for files that the JVM and its libraries unpack
   */
  static List<String> command(Path scratch, List<String> words) {
    if (!Files.isRegularFile(JAR)) {
      throw new AssertionError(JAR + " isn't there: ./mvnw package builds it");
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("@" + OPTIONS);
    if (!LASTING.contains(words.getFirst())) {
      command.add("-XX:TieredStopAtLevel=1");
    }
    command.add("-Djava.io.tmpdir=" + scratch);
    command.add("-Djoshua.home=" + HOME);
    command.add("-jar");
    command.add(JAR.toString());
    command.addAll(words);
    return command;
  }
}
