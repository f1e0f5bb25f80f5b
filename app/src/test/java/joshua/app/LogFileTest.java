package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import joshua.kernel.KnownSettings.LogFormat;
import joshua.kernel.KnownSettings.LogLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@Isolated // Logging is set up for the whole process.
class LogFileTest {
  private static final Logger OURS = LoggerFactory.getLogger("joshua.test");

  @TempDir Path home;

  private Path data;

  @BeforeEach
  void applySettings() {
    data = home.resolve("data of 100%i (a \\ copy)");
    LoggingSetup.apply(LogFormat.TEXT, LogLevel.INFO, true);
  }

  @AfterEach
  void loggingAsBefore() {
    LoggingSetup.apply(LogFormat.TEXT, LogLevel.WARN, true);
  }

  private List<String> messages(int count) throws Exception {
    return LogFile.newest(data, count, line -> true).stream()
        .map(line -> line.path("message").asText())
        .toList();
  }

  @Test
  void whatIsLoggedIsInTheFileForItsOwnerAlone() throws Exception {
    try (AutoCloseable _ = LogFile.open(data, true)) {
      OURS.info("the last line before a crash");
      assertThat(messages(1)).containsExactly("the last line before a crash");
    }
    OURS.info("after the end");
    assertThat(messages(1)).containsExactly("the last line before a crash");
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(LogFile.in(data).getParent())))
        .isEqualTo("rwx------");
  }

  @Test
  void theFilesTogetherHaveAMaximumAndTheNewestLineStays() throws Exception {
    long most = (LogFile.OLDER + 1) * LogFile.BYTES;
    String text = "x".repeat(LogRing.LONGEST - 10);
    try (AutoCloseable _ = LogFile.open(data, true)) {
      for (int line = 0; line <= most / text.length() + 1; line++) {
        OURS.info("{} {}", line, text);
      }
      OURS.info("the newest");
    }
    try (Stream<Path> files = Files.list(LogFile.in(data).getParent())) {
      List<Path> all = files.toList();
      assertThat(all).hasSize(LogFile.OLDER + 1);
      assertThat(all.stream().mapToLong(file -> file.toFile().length()))
          .allMatch(bytes -> bytes <= LogFile.BYTES + 2 * LogRing.LONGEST);
    }
    List<String> newest = messages(10_000);
    assertThat(newest.getLast()).isEqualTo("the newest");
    assertThat(newest.getFirst()).doesNotStartWith("0 ");
  }

  @Test
  void logsReadsTheFileWhereNothingRunsAndPassesOverATornLine() throws Exception {
    try (AutoCloseable _ = LogFile.open(data, true)) {
      OURS.info("quiet");
      OURS.warn("odd \u001b[2J");
    }
    Files.writeString(LogFile.in(data), "{\"at\":\"20", StandardOpenOption.APPEND);
    TestSurroundings surroundings =
        new TestSurroundings(Map.of("JOSHUA_DATA_DIR", data.toString()), home);
    assertThat(surroundings.run("logs", "--level", "warn")).as(surroundings.err()).isZero();
    assertThat(surroundings.out().lines().toList())
        .singleElement()
        .asString()
        .contains("WARN  test odd \\u001b[2J");
    assertThat(surroundings.err()).contains(LogFile.in(data).toString());
  }

  @Test
  void withNeitherAGroupNorAFileLogsSaysThatNothingRuns() {
    TestSurroundings surroundings =
        new TestSurroundings(Map.of("JOSHUA_DATA_DIR", data.toString()), home);
    assertThat(surroundings.run("logs")).isEqualTo(69);
    assertThat(surroundings.err()).contains("doesn't run on the data directory");
  }
}
