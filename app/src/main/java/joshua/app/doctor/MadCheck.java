package joshua.app.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.kernel.Json;

/**
 * Checks a running MAD: whether it is the same build as this command, and ready for calls.
 *
 * @param port where it listens; 0 if that is unknown
 * @param expected whether a group runs, of which it is a part
 * @param version of the build that runs the check
 */
public record MadCheck(
    String mad, String host, int port, boolean expected, String version, HttpPages pages)
    implements HealthCheck {
  private static final int READY = 200;
  private static final String START = "Start the group with joshua up, or look at its log.";

  @Override
  public List<CheckFinding> look() throws InterruptedException {
    if (port == 0) {
      return List.of(
          expected
              ? CheckFinding.bad(mad, "It doesn't run, or where isn't known.", START)
              : CheckFinding.leftOut(mad, "it doesn't run"));
    }
    MadPages known = new MadPages(pages, host, port);
    Optional<MadPages.Alive> alive = known.alive();
    if (alive.isEmpty()) {
      return List.of(
          expected
              ? CheckFinding.bad(
                  mad, "It doesn't answer at %s.".formatted(known.uri("/healthz")), START)
              : CheckFinding.leftOut(
                  mad, "it doesn't run: nobody answers at %s".formatted(known.uri("/healthz"))));
    }
    if (!alive.get().mad().equals(mad)) {
      return List.of(
          CheckFinding.bad(
              mad,
              "At %s answers \"%s\" instead.".formatted(known.uri("/healthz"), alive.get().mad()),
              "Give each MAD a port of its own, or start the build that this command is of."));
    }
    List<CheckFinding> findings = new ArrayList<>();
    if (!alive.get().version().equals(version)) {
      findings.add(
          CheckFinding.warning(
              mad,
              "It runs as %s, and this command is of %s.".formatted(alive.get().version(), version),
              "Stop the group, make a backup, and start it with the build that you want."));
    }
    findings.add(ready(known));
    return findings;
  }

  private CheckFinding ready(MadPages known) throws InterruptedException {
    try {
      HttpPages.Page page = pages.get(known.uri("/readyz"));
      return page.status() == READY
          ? CheckFinding.ok(mad, "ready at http://%s:%d".formatted(host, port))
          : CheckFinding.bad(
              mad,
              "It isn't ready: " + problems(page.body()),
              "Mend what it names first; it goes on by itself when that is well.");
    } catch (IOException e) {
      return CheckFinding.bad(
          mad, "It doesn't answer at %s.".formatted(known.uri("/readyz")), START);
    }
  }

  private static String problems(String body) {
    try {
      List<String> problems = new ArrayList<>();
      for (JsonNode each : Json.parse(body).path("problems")) {
        problems.add(each.path("name").asText() + ": " + each.path("problem").asText());
      }
      return String.join("; ", problems);
    } catch (Json.MalformedJsonException e) {
      return "it answers without saying why";
    }
  }
}
