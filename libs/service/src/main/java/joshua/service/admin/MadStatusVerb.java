package joshua.service.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbOutput;
import joshua.ssh.VerbSession;
import picocli.CommandLine.Command;

/** The verb {@code mad-status}, which shows whether a service is usable. */
@Command(name = "mad-status", description = "Says whether the service is usable, and why not.")
public final class MadStatusVerb implements Verb {
  @Override
  public void run(VerbSession session) throws VerbFailedException, InterruptedException {
    ObjectNode status = session.call("mad_status", Json.object());
    VerbOutput out = session.out();
    out.json(status);
    out.line(
        "%s %s is %s at %s, process %d, up %s."
            .formatted(
                status.path("service").asText(),
                status.path("version").asText(),
                status.path("ready").asBoolean() ? "ready" : "not ready",
                status.path("address").asText(),
                status.path("pid").asLong(),
                elapsed(Instant.parse(status.path("started_at").asText()))));
    for (String member : List.of("problems", "remarks")) {
      for (JsonNode each : status.path(member)) {
        out.line("%s: %s".formatted(each.path("part").asText(), each.path("sentence").asText()));
      }
    }
    if (!status.path("ready").asBoolean()) {
      throw new VerbFailedException(
          Refusal.of(ErrorCode.BUS_UNAVAILABLE, session.service() + " isn't ready."));
    }
  }

  /** The time since then, in words: {@code 2 h 5 min}. */
  public static String elapsed(Instant start) {
    Duration past = Duration.between(start, Instant.now());
    return past.toDays() > 0
        ? "%d d %d h".formatted(past.toDays(), past.toHoursPart())
        : past.toHours() > 0
            ? "%d h %d min".formatted(past.toHours(), past.toMinutesPart())
            : past.toMinutes() > 0
                ? "%d min %d s".formatted(past.toMinutes(), past.toSecondsPart())
                : "%d s".formatted(Math.max(0, past.toSeconds()));
  }
}
