package joshua.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import joshua.testing.TestRequirements;

/** The real {@code redis-cli}, logged in by the environment as the welcome text says. */
final class RedisCli {
  private RedisCli() {}

  /** Carries out one command on the group's Redis; what it printed. */
  static String run(GroupUnderTest groupUnderTest, String... words) {
    Path program = TestRequirements.program("redis-cli", "apt-get install redis-tools");
    List<String> command = new ArrayList<>();
    command.addAll(List.of(program.toString(), "-p", Integer.toString(groupUnderTest.redisPort())));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("REDISCLI_AUTH", groupUnderTest.password());
    try {
      Process process = builder.start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.onExit().join();
      return said.strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
