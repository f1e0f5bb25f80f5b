package joshua.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import joshua.testing.TestRequirements;

/** The real {@code redis-cli}, logged in through the environment as the startup text explains. */
final class RedisCli {
  private RedisCli() {}

  /** Runs one command on the group's Redis; returns its output. */
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
