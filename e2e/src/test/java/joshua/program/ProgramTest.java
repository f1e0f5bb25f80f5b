package joshua.program;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A test of the built program, in a directory of its own. */
abstract class ProgramTest {
  @TempDir Path directory;
  @AutoClose Program program;

  @BeforeEach
  void makeProgram() {
    program = new Program(directory, environment());
  }

  Map<String, String> environment() {
    return Program.FREE_PORTS;
  }
}
