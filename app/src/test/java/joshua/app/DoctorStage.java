package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import joshua.kernel.Json;

/** A machine with something broken on it, and the doctor that checks it. */
final class DoctorStage {
  private static final List<String> PORTS =
      List.of("GRACE", "FIEDLER", "ROGERS", "GRACE_SSH", "FIEDLER_SSH", "ROGERS_SSH");

  /** The finding about one matter. */
  record Found(String check, String verdict, String found, String remedy) {}

  private final Path home;
  private final Map<String, String> environment = new HashMap<>();
  private String printed = "";

  DoctorStage(Path home) {
    this.home = home;
    PORTS.forEach(port -> set("JOSHUA_" + port + "_PORT", "0"));
    set("JOSHUA_DATA_DIR", data().toString());
  }

  Path data() {
    return home.resolve("data");
  }

  DoctorStage set(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  /** Everything that the last run has printed. */
  String printed() {
    return printed;
  }

  /** The doctor's finding about a matter; its exit status must agree with it. */
  List<Found> look(String check) throws Exception {
    TestSurroundings surroundings = new TestSurroundings(environment, home);
    int status = surroundings.run("doctor", "-o", "json");
    printed = surroundings.out() + surroundings.err();
    JsonNode page = Json.parse(surroundings.out());
    assertThat(status).isEqualTo(page.path("verdict").asText().equals("bad") ? 1 : 0);
    List<Found> found = new ArrayList<>();
    for (JsonNode each : page.path("checks")) {
      if (each.path("check").asText().equals(check)) {
        found.add(
            new Found(
                check,
                each.path("verdict").asText(),
                each.path("found").asText(),
                each.path("remedy").asText("")));
      }
    }
    assertThat(found).as(printed).isNotEmpty();
    return found;
  }

  /** Checks the verdict, the text and the advice of the first finding. */
  void finds(String check, String verdict, String found, String remedy) throws Exception {
    List<Found> all = look(check);
    assertThat(all.getFirst().verdict()).as(all.toString()).isEqualTo(verdict);
    assertThat(all.getFirst().found()).contains(found);
    assertThat(all.getFirst().remedy()).contains(remedy);
  }
}
