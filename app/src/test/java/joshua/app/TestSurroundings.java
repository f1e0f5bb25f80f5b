package joshua.app;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs the program within the test's own JVM, with a chosen environment, and keeps its output. */
final class TestSurroundings {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  final ProcessEnvironment around;

  TestSurroundings(Map<String, String> environment, Path home) {
    around =
        new ProcessEnvironment(
            environment,
            home,
            home,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            true,
            false);
  }

  int run(List<Object> subcommands, String... args) {
    return new CommandTree(around, subcommands).run(args);
  }

  int run(String... args) {
    return run(Main.subcommands(), args);
  }

  String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
