package joshua.app.group;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileOutputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {
  @TempDir private Path directory;

  @Test
  void whoKeepsItOpenWritesToAnEmptyOneOnceItIsLarge() throws Exception {
    Path log = OutputFile.in(directory).path();
    OutputFile output = new OutputFile(log, 3);
    try (OutputStream held = new FileOutputStream(log.toFile(), true)) {
      held.write("one".getBytes(UTF_8));
      output.rotateIfLarge();
      assertThat(log).as("not larger than it may be").hasContent("one");
      held.write("!".getBytes(UTF_8));
      output.rotateIfLarge();
      assertThat(log).isEmptyFile();
      for (String text : new String[] {"two!", "three", "four!"}) {
        held.write(text.getBytes(UTF_8));
        output.rotateIfLarge();
      }
      held.write("5".getBytes(UTF_8));
      output.rotateIfLarge();
    }
    assertThat(log).hasContent("5");
    assertThat(log.resolveSibling("joshua.log.1")).hasContent("four!");
    assertThat(log.resolveSibling("joshua.log.2")).hasContent("three");
    assertThat(log.resolveSibling("joshua.log.3")).hasContent("two!");
    try (Stream<Path> files = Files.list(log.resolveSibling(""))) {
      assertThat(files)
          .hasSize(1 + OutputFile.PREDECESSORS)
          .allSatisfy(file ->
              assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                  .isEqualTo("rw-------"));
    }
  }
}
