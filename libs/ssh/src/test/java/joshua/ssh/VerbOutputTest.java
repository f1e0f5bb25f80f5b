package joshua.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import joshua.kernel.Json;
import joshua.kernel.Timestamps;
import org.junit.jupiter.api.Test;

/** What people see of rows. */
class VerbOutputTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private String table(int columns, boolean coloured, List<String> members, ArrayNode rows) {
    PrintStream stream = new PrintStream(out, true, UTF_8);
    VerbTerminal terminal = new VerbTerminal(stream, stream, columns, coloured, "ann");
    new VerbOutput(terminal, false).table(members, rows);
    String shown = out.toString(UTF_8);
    out.reset();
    return shown;
  }

  private static ArrayNode rows(String member, String value, Object why) {
    ArrayNode rows = Json.mapper().createArrayNode();
    rows.addObject().put(member, value).putPOJO("why", why);
    return Json.mapper().convertValue(rows, ArrayNode.class);
  }

  @Test
  void timesAreUtcAndHaveTheirAgeWhichIsEnoughWhereRoomIsShort() {
    Instant then = Instant.now().minus(Duration.ofDays(3)).minusSeconds(1);
    String at = Timestamps.format(then);
    ArrayNode rows = rows("last_poll_at", at, "healthy: heard at " + at + ", and well");
    List<String> members = List.of("last_poll_at", "why");
    String time = at.substring(5, 10) + " " + at.substring(11, 19) + "Z";
    assertThat(table(80, false, members, rows))
        .startsWith("last poll ")
        .contains("\n" + time + ", 3 d ago  healthy: heard at " + time + ", and well\n");
    assertThat(table(40, false, members, rows))
        .startsWith("last poll  why\n3 d ago    healthy: heard at ")
        .contains("\n           ");
    Instant soon = Instant.now().plus(Duration.ofMinutes(5)).plusSeconds(1);
    assertThat(table(0, false, members, rows("last_poll_at", Timestamps.format(soon), "x")))
        .containsPattern("[0-9:]{8}Z, in 5 min  x\n");
  }

  @Test
  void headingsAndValuesAreWords() {
    ArrayNode rows = rows("what", "dead_letter", List.of("a", "b_c"));
    assertThat(table(80, false, List.of("what", "why"), rows))
        .isEqualTo("what         why\ndead letter  a, b_c\n");
    String id = "01a22412-bb3f-7000-967e-e1ac66204327";
    assertThat(table(80, false, List.of("task_id", "why"), rows("task_id", id, List.of())))
        .as("ids of one minute begin alike")
        .isEqualTo("task      why\n66204327  -\n");
  }

  @Test
  void statesHaveAColourWhereTheTerminalDoes() {
    ArrayNode rows = rows("name", "stale", "stale: silent");
    assertThat(table(80, true, List.of("name", "why"), rows))
        .isEqualTo("\u001b[1mname   why\u001b[0m\nstale  \u001b[33mstale:\u001b[0m silent\n");
    assertThat(table(80, false, List.of("name", "why"), rows)).doesNotContain("\u001b");
    rows = rows("name", "x", "\u001b[31mhealthy");
    assertThat(table(80, true, List.of("name", "why"), rows)).contains("\\u001b[31mhealthy");
  }

  @Test
  void aSentenceEndsItsLinesBetweenWords() {
    PrintStream stream = new PrintStream(out, true, UTF_8);
    new VerbOutput(new VerbTerminal(stream, stream, 20, true, "ann"), false)
        .sentence("One thing isn't well: " + "x".repeat(30));
    assertThat(out)
        .hasToString("One thing isn't\nwell:\n%s\n%s\n".formatted("x".repeat(20), "x".repeat(10)));
  }
}
