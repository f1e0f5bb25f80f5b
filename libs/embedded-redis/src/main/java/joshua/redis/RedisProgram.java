package joshua.redis;

import java.nio.file.Path;

/**
 * A redis-server or valkey-server that can be started.
 *
 * @param file the executable
 * @param origin why this one
 */
record RedisProgram(Path file, Origin origin) {
  /** Where a program comes from. */
  enum Origin {
    NAMED("named by JOSHUA_REDIS_PROGRAM"),
    ON_PATH("found on the PATH"),
    BUNDLED("bundled with Joshua");

    private final String words;

    Origin(String words) {
      this.words = words;
    }
  }

  /** Whether it knows {@code CLIENT SETINFO}; the bundled one doesn't. */
  boolean knowsSetInfo() throws InterruptedException {
    return origin != Origin.BUNDLED
        && ProgramVersion.of(file).filter(ProgramVersion::knowsSetInfo).isPresent();
  }

  /**
   * One line for people.
   *
   * @param version what the running program says it is
   */
  String describe(String version) {
    return origin == Origin.BUNDLED
        ? "%s, %s".formatted(version, origin.words)
        : "%s at %s, %s".formatted(version, file, origin.words);
  }
}
