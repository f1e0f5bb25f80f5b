package joshua.service.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbSession;
import org.slf4j.event.Level;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The verb {@code mad-logs}, which shows recent log lines of a service's process. */
@Command(name = "mad-logs", description = "Shows what the service's process has logged.")
public final class MadLogsVerb implements Verb {
  private static final int WAIT_MS = 30_000;

  @Option(
      names = "-n",
      paramLabel = "N",
      defaultValue = "50",
      description = "So many lines, of the last 1000.")
  private int lines;

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      defaultValue = "debug",
      description = "From this level on: error, warn, info or debug.")
  private Level level;

  @Option(
      names = {"-f", "--follow"},
      description = "Show further lines as they come, until Ctrl-C.")
  private boolean follow;

  @Override
  public Role role() {
    return Role.OPERATOR;
  }

  @Override
  public void run(VerbSession session) throws VerbFailedException, InterruptedException {
    ObjectNode input =
        Json.object().put("lines", lines).put("level", level.name().toLowerCase(Locale.ROOT));
    do {
      for (JsonNode line : session.call("mad_logs", input).path("lines")) {
        show(session, line);
        input.put("after", line.path("number").asLong());
      }
      input.put("wait_ms", WAIT_MS).put("lines", RecentLog.MAX_LINES);
    } while (follow);
  }

  private static void show(VerbSession session, JsonNode line) {
    session.out().json(line);
    JsonNode id = line.path("correlation_id");
    String head =
        "%s %-5s %s%s"
            .formatted(
                line.path("time").asText(),
                line.path("level").asText(),
                line.path("logger").asText().replaceFirst(".*\\.", ""),
                id.isTextual() ? " " + id.asText() : "");
    line.path("text").asText().lines().forEach(text -> session.out().line(head + " - " + text));
  }
}
