package joshua.app.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import joshua.kernel.Role;
import joshua.ssh.AuthorizedKey;
import joshua.ssh.AuthorizedKeys;
import joshua.ssh.AuthorizedKeysFile;

/** Checks the keys that may log in by SSH: whether the file is used, and each of its lines. */
public record KeysCheck(Path file, InstantSource time) implements HealthCheck {
  private static final String CHECK = "authorized keys";

  @Override
  public List<CheckFinding> look() {
    if (!Files.exists(file)) {
      return List.of(
          CheckFinding.leftOut(CHECK, "nobody logs in by SSH: there is no %s".formatted(file)));
    }
    try {
      return findings(AuthorizedKeysFile.read(file));
    } catch (AuthorizedKeysFile.UnusableKeysException e) {
      return List.of(
          CheckFinding.bad(CHECK, e.sentence() + ".", "Nobody logs in by SSH until that is done."));
    }
  }

  private List<CheckFinding> findings(AuthorizedKeys keys) {
    List<CheckFinding> findings = new ArrayList<>();
    for (String problem : keys.problems()) {
      findings.add(
          CheckFinding.bad(
              CHECK,
              "%s, %s.".formatted(file, problem),
              "Correct the line, or delete it and use joshua keys add."));
    }
    Instant now = time.instant();
    for (AuthorizedKey key : keys.keys()) {
      key.expires()
          .filter(end -> !now.isBefore(end))
          .ifPresent(end ->
              findings.add(
                  CheckFinding.warning(
                      CHECK,
                      "The key of %s ended at %s.".formatted(key.name(), end),
                      "joshua keys rotate %s FILE, or joshua keys revoke %1$s."
                          .formatted(key.name()))));
    }
    if (findings.isEmpty()) {
      findings.add(CheckFinding.ok(CHECK, "%s: %s".formatted(file, roles(keys))));
    }
    return findings;
  }

  private static String roles(AuthorizedKeys keys) {
    Map<Role, Integer> counts = new EnumMap<>(Role.class);
    keys.keys().forEach(key -> counts.merge(key.role(), 1, Integer::sum));
    StringJoiner text = new StringJoiner(", ").setEmptyValue("no key yet, nobody logs in by SSH");
    counts.forEach((role, count) -> text.add(count + " " + role.word()));
    return text.toString();
  }
}
