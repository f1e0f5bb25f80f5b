package joshua.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import joshua.kernel.Json;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark runs; what it measures is compared with nothing here. */
class BenchTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @TempDir private Path directory;

  /** Statement 4. */
  @Tag("slow")
  @Test
  void tenThousandIdleClientsHaveAQueueInASmallHeap() throws Exception {
    Path out = directory.resolve("out");
    Process bench =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djoshua.home=" + ROOT,
                "-jar",
                ROOT.resolve("bench/target/bench.jar").toString(),
                "--only=idle",
                "--out=" + directory.resolve("bench.json"))
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertThat(bench.waitFor()).as(Files.readString(out)).isZero();
    JsonNode figure =
        Json.parse(Files.readAllBytes(directory.resolve("bench.json"))).at("/figures/0");
    assertThat(figure.path("note").asText()).startsWith("queues: 10000; ");
    assertThat(Files.readAllLines(out)).allMatch(line -> line.length() <= 80);
  }
}
