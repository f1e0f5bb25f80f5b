package joshua.app;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import joshua.conversation.ConversationBus;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;
import joshua.network.bridge.Whereabouts;
import joshua.state.Checkup;
import picocli.CommandLine.Command;

/** {@code joshua doctor}: looks whether what a group needs is there and whole (+DP-06). */
@Command(
    name = "doctor",
    description = "Look whether the group, its Redis, its disk and its databases are well.",
    footer = {
      "",
      "Exit status 1 if anything is wrong. The databases are checked page by page, which",
      "takes about 15 s a GB; nothing is changed. Example:",
      "  joshua doctor"
    })
final class DoctorCommand implements Subcommand {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final long LITTLE_ROOM = 1L << 30;
  private static final int READY = 200;

  /** What one look has found; no findings: all is well. */
  private record Finding(String what, List<String> problems) {}

  @Override
  public int run(Settings settings, Surroundings around) throws Exception {
    List<Finding> findings = new ArrayList<>();
    findings.add(disk(settings));
    findings.add(bus(settings));
    for (KnownMad mad : KnownMad.all()) {
      findings.add(ready(mad, settings));
    }
    for (KnownStore store : KnownStore.all()) {
      Path file = store.file(settings);
      if (Files.exists(file)) {
        findings.add(new Finding("database " + file, Checkup.full(file)));
      }
    }
    for (Finding finding : findings) {
      around.out().printf("%-4s %s%n", finding.problems().isEmpty() ? "ok" : "BAD", finding.what());
      finding.problems().forEach(problem -> around.out().printf("     %s%n", problem));
    }
    return findings.stream().allMatch(finding -> finding.problems().isEmpty()) ? 0 : 1;
  }

  private static Finding disk(Settings settings) throws IOException {
    Path data = settings.get(KnownSettings.DATA_DIR);
    if (!Files.isDirectory(data)) {
      return new Finding(
          "data directory " + data,
          List.of("It isn't there. Start the group, or set JOSHUA_DATA_DIR to another."));
    }
    long room = Files.getFileStore(data).getUsableSpace();
    return new Finding(
        "data directory %s, %d MiB of room".formatted(data, room >> 20),
        room < LITTLE_ROOM
            ? List.of("There is less than 1 GiB of room. Make some, or nothing can be kept soon.")
            : List.of());
  }

  private static Finding bus(Settings settings) throws IOException, InterruptedException {
    try (ConversationBus bus = Visit.as("doctor", settings)) {
      return new Finding("Redis at " + bus.address(), List.of());
    } catch (Unavailable e) {
      return new Finding("Redis", List.of(String.valueOf(e.getMessage())));
    }
  }

  private static Finding ready(KnownMad mad, Settings settings) throws InterruptedException {
    MadAddress address = new MadAddress(settings, mad, "Start the group with joshua up.");
    try (HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
      URI page = URI.create("http://%s:%d/readyz".formatted(address.host(), address.port()));
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(page).timeout(PATIENCE).build(),
              HttpResponse.BodyHandlers.ofString());
      return new Finding(
          mad.name() + " at " + page,
          answer.statusCode() == READY
              ? List.of()
              : List.of("It isn't ready: " + Printable.text(answer.body())));
    } catch (Whereabouts.Absent | IOException | IllegalArgumentException e) {
      return new Finding(
          mad.name(),
          List.of("It doesn't answer. Start the group with joshua up, or look at its log."));
    }
  }
}
