package joshua.app.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks whether the clock has gone backwards: what a group wrote here can't be from the future.
 * Time zones don't matter, everything is in UTC.
 */
public record ClockCheck(Path data, InstantSource time) implements HealthCheck {
  private static final Duration TOLERATED = Duration.ofSeconds(10);
  private static final int DEPTH = 2;
  private static final int MOST_FILES = 1_000;

  @Override
  public List<CheckFinding> look() {
    Instant now = time.instant();
    Optional<Instant> newest = Files.isDirectory(data) ? newest() : Optional.empty();
    if (newest.filter(written -> written.isAfter(now.plus(TOLERATED))).isPresent()) {
      return List.of(
          CheckFinding.bad(
              "clock",
              "It is %s here, and something in %s was written at %s."
                  .formatted(now, data, newest.get()),
              "Set the clock (timedatectl set-ntp true): leases, cursors and statistics go by it."));
    }
    return List.of(
        CheckFinding.ok("clock", "%s, later than everything in the data directory".formatted(now)));
  }

  private Optional<Instant> newest() {
    try (Stream<Path> walk = Files.walk(data, DEPTH)) {
      return walk.filter(Files::isRegularFile)
          .limit(MOST_FILES)
          .flatMap(file -> written(file).stream())
          .max(Instant::compareTo);
    } catch (IOException | UncheckedIOException e) {
      return Optional.empty();
    }
  }

  /** A side file of a database may have gone in the meantime. */
  private static Optional<Instant> written(Path file) {
    try {
      return Optional.of(Files.getLastModifiedTime(file).toInstant());
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
