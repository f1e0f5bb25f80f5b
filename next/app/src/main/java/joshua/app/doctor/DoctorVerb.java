package joshua.app.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbSession;
import picocli.CommandLine.Command;

/** {@code doctor}: shows what the {@link Doctor} finds. */
@Command(
    name = "doctor",
    description = "Looks for what is wrong: with settings, with Redis, with a group that runs.")
public final class DoctorVerb implements Verb {
  @Override
  public Role role() {
    return Role.ADMIN;
  }

  @Override
  public void run(VerbSession session) throws VerbFailedException, InterruptedException {
    ObjectNode diagnosis = session.call("doctor", Json.object());
    session.out().json(diagnosis);
    int problems = 0;
    for (JsonNode finding : diagnosis.path("findings")) {
      String result = finding.path("result").asText();
      problems += result.equals(Doctor.PROBLEM) ? 1 : 0;
      String head = "%-8s %-9s ".formatted(result, finding.path("check").asText());
      for (String line : finding.path("sentence").asText().split("\n", -1)) {
        session.out().line(head + line);
        head = " ".repeat(head.length());
      }
    }
    if (problems > 0) {
      throw new VerbFailedException(
          Refusal.of(
              ErrorCode.CONFLICT,
              problems == 1
                  ? "There is a problem."
                  : "There are %d problems.".formatted(problems)));
    }
  }
}
