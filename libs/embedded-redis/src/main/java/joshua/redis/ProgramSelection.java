package joshua.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import joshua.kernel.RedisSettings;
import joshua.kernel.TimedWait;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The choice of the program that becomes the embedded Redis: the one that is named; else the first
 * on the PATH that withstands the known attacks; else the bundled one.
 */
final class ProgramSelection {
  private static final Logger log = LoggerFactory.getLogger(ProgramSelection.class);
  private static final List<String> NAMES = List.of("redis-server", "valkey-server");

  private final Path directory;
  private final Optional<String> wanted;
  private final ExecutablePath path;
  private final ProbeRecord known;
  private final ProgramProbe probe;

  /**
   * Chooses for one data directory.
   *
   * @param directory where the bundled program is unpacked and results are remembered
   * @param wanted a path, or {@link RedisSettings#BUNDLED}; empty to look for the best
   */
  ProgramSelection(
      Path directory, Optional<String> wanted, ExecutablePath path, TimedWait timedWait) {
    this.directory = directory;
    this.wanted = wanted;
    this.path = path;
    this.known = new ProbeRecord(directory);
    this.probe = new ProgramProbe(directory, timedWait);
  }

  RedisProgram select() throws IOException, CannotStartException, InterruptedException {
    if (wanted.isEmpty()) {
      Optional<RedisProgram> found = onPath();
      return found.isPresent() ? found.get() : bundled();
    }
    return wanted.get().equals(RedisSettings.BUNDLED) ? bundled() : named(Path.of(wanted.get()));
  }

  private RedisProgram bundled() throws IOException, CannotStartException {
    return new RedisProgram(RedisBinary.unpack(directory), RedisProgram.Origin.BUNDLED);
  }

  private RedisProgram named(Path file)
      throws IOException, CannotStartException, InterruptedException {
    if (!Files.isRegularFile(file) || !Files.isExecutable(file)) {
      throw new CannotStartException(
          "JOSHUA_REDIS_PROGRAM is %s, which isn't a file that can be executed. Name a redis-server or a valkey-server, or leave it out."
              .formatted(file));
    }
    ProbeVerdict verdict = verdict(file);
    if (verdict != ProbeVerdict.RESISTS) {
      log.warn("JOSHUA_REDIS_PROGRAM is {}, but {}", file, verdict.sentence());
    }
    return new RedisProgram(file, RedisProgram.Origin.NAMED);
  }

  private Optional<RedisProgram> onPath() throws IOException, InterruptedException {
    for (String name : NAMES) {
      Optional<Path> file = path.find(name);
      if (file.isPresent()) {
        ProbeVerdict verdict = verdict(file.get());
        if (verdict == ProbeVerdict.RESISTS) {
          return Optional.of(new RedisProgram(file.get(), RedisProgram.Origin.ON_PATH));
        }
        log.info("{} isn't used for the embedded Redis: {}", file.get(), verdict.sentence());
      }
    }
    return Optional.empty();
  }

  private ProbeVerdict verdict(Path file) throws IOException, InterruptedException {
    Optional<ProbeVerdict> before = known.find(file);
    if (before.isPresent()) {
      return before.get();
    }
    ProbeVerdict verdict = probe.attack(file);
    if (verdict.lasting()) {
      known.add(file, verdict);
    }
    return verdict;
  }
}
