package joshua.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import joshua.testing.Await;
import org.junit.jupiter.api.Test;

/** A group starts on the data directory of an earlier release, and has what that one stored. */
class UpgradeTest extends ProgramTest {
  /** When the databases beside this test were written, as their columns have it. */
  private static final Instant WRITTEN = Instant.parse("2026-11-28T12:00:00Z");

  private static final Pattern TIME = Pattern.compile("\\b1795[0-9]{9}\\b");

  /** The task that hadn't begun. */
  private static final String ACCEPTED = "01a2220c-0000-7000-908a-f209480321d3";

  /** Makes a database of a dump, as if that had been written an hour or two ago. */
  private void restore(String service) throws Exception {
    long since = Duration.between(WRITTEN, Instant.now()).toHours() - 1;
    Path database = directory.resolve("data/%1$s/%1$s_state.db".formatted(service));
    Files.createDirectories(database.getParent());
    try (InputStream dump = getClass().getResourceAsStream(service + "-0.2.0.sql");
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
        Statement statement = connection.createStatement()) {
      String sql = new String(dump.readAllBytes(), StandardCharsets.UTF_8);
      statement.executeUpdate(
          TIME.matcher(sql)
              .replaceAll(time ->
                  Long.toString(
                      Long.parseLong(time.group()) + Duration.ofHours(since).toMillis())));
    }
  }

  @Test
  void whatWasStoredIsThereAndGoesOn() throws Exception {
    restore("fiedler");
    restore("rogers");
    program.start("up").awaitSaid("./joshua stop");
    Await.until(
        "what was accepted before is done",
        () -> program.run("task", ACCEPTED).said().contains("COMPLETED"));
    assertThat(program.run("rogers", "ask", "unheard").said()).contains("mad.topic.news");
    assertThat(program.run("stats").said()).contains("grace");
    assertThat(program.run("rogers", "ask", "not_seen").said())
        .startsWith("2 times; the last from ")
        .contains("Rogers was stopped", "Rogers wasn't running");
    assertThat(program.run("stop").said()).contains("Stopped");
    program.start("up").awaitSaid("./joshua stop"); // on what has been upgraded and is in use
    assertThat(program.run("tasks", "--kind", "all").said())
        .contains("write a poem", "FAILED", "stats by=requester", "queue");
    assertThat(program.run("ask", "help").said()).contains("Ask in plain words");
  }
}
