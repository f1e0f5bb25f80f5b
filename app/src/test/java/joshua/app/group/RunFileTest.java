package joshua.app.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFileTest {
  private static final RunFile RUN =
      new RunFile(
          1, "then", "0.2.0", "a", "redis", null, "socket", Map.of("grace", "x"), true, Map.of());

  @TempDir private Path directory;

  @Test
  void aCommandOfAnotherVersionOrBuildSaysSo() {
    assertThat(RUN.difference("0.3.0", Optional.of("a")))
        .hasValue(
            "The group runs version 0.2.0, and this command is of 0.3.0: ./joshua stop, then up.");
    assertThat(RUN.difference("0.2.0", Optional.of("b")))
        .hasValue(
            "The group runs another build of 0.2.0 than this command: ./joshua stop, then up.");
    assertThat(RUN.difference("0.2.0", Optional.of("a"))).isEmpty();
    assertThat(RUN.difference("0.2.0", Optional.empty())).as("not from jars").isEmpty();
  }

  @Test
  void theFileOfAnotherVersionIsRead() throws Exception {
    try (DataDirectory _ = DataDirectory.open(directory)) {
      RUN.write(directory);
      assertThat(RunFile.read(directory)).hasValue(RUN);
      Path file = directory.resolve("run.json");
      String written = Files.readString(file);
      Files.writeString(file, written.replace("\"build\" : \"a\"", "\"later\" : [ 1 ]"));
      assertThat(RunFile.read(directory).orElseThrow().build()).isNull();
      Files.writeString(file, written.replace("socket", "plug"));
      assertThatThrownBy(() -> RunFile.read(directory))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is damaged");
    }
  }

  @Test
  void aBuildIsWhatOurJarsAre() throws Exception {
    Path jar = Files.writeString(directory.resolve("joshua.jar"), "program");
    Path library = Files.createDirectory(directory.resolve("lib")).resolve("joshua-kernel-1.jar");
    Files.writeString(library, "kernel");
    String first = Build.checksum(jar);
    Files.writeString(directory.resolve("lib").resolve("other.jar"), "of others");
    assertThat(Build.checksum(jar)).isEqualTo(first);
    Files.writeString(library, "kernel, changed");
    assertThat(Build.checksum(jar)).isNotEqualTo(first);
  }
}
