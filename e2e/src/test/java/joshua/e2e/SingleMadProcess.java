package joshua.e2e;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.testing.RealRedis;

/**
 * A MAD alone in its process, {@code joshua fiedler}, on a Redis that outlives it.
 *
 * @param port where it serves its tools
 */
record SingleMadProcess(ProgramRun run, int port) {
  private static final Pattern LISTENS = Pattern.compile("listens on \\S+ port (\\d+),");

  /**
   * Starts a MAD, and returns when it can be used.
   *
   * @param settings {@code JOSHUA_…=…}
   */
  static SingleMadProcess start(TestEnvironment environment, String mad, List<String> settings) {
    List<String> words = new ArrayList<>(settings);
    words.add(mad);
    ProgramRun programRun =
        environment.start(words.toArray(String[]::new)).awaitOut(", on the bus at ");
    Matcher listens = LISTENS.matcher(programRun.out());
    if (!listens.find()) {
      throw new AssertionError("it doesn't say where it listens:\n" + programRun);
    }
    return new SingleMadProcess(programRun, Integer.parseInt(listens.group(1)));
  }

  /** The settings that lead to a Redis of the test by way of {@code url}. */
  static List<String> on(TestEnvironment environment, RealRedis redis, String url) {
    return List.of(
        "JOSHUA_REDIS_URL=" + url,
        "JOSHUA_REDIS_PASSWORD_FILE=" + passwordFile(environment, redis));
  }

  private static Path passwordFile(TestEnvironment environment, RealRedis redis) {
    return environment.file("redis.password", redis.password());
  }

  FrameSocketClient client(TestEnvironment environment) {
    return environment.add(FrameSocketClient.to(port));
  }
}
