package joshua.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import joshua.app.redis.RedisProgram;
import joshua.testing.RedisServer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code ./joshua bench}. */
@Command(
    name = "bench",
    description = "Measures a group from outside, beside what one would take instead.",
    mixinStandardHelpOptions = true)
final class Bench implements Callable<Integer> {
  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NAME",
      description = "Of ${DEFAULT-VALUE}.",
      defaultValue = "starts,sends,latency,mcp,tasks,tokens,counting,archiving,threads,memory,idle")
  private List<String> only;

  @Option(
      names = "--rounds",
      defaultValue = "5",
      paramLabel = "N",
      description = "How often each is measured; the median is shown.")
  private int rounds;

  @Option(
      names = "--seconds",
      defaultValue = "4",
      paramLabel = "N",
      description = "How long each time.")
  private int seconds;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Where all rounds are written; bench/target/bench.json if left out.")
  private Path out = MeasuredGroup.TARGET.resolve("bench.json");

  private Bench() {}

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Bench()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Report report = new Report(System.out);
    try (RedisServer redis = redis()) {
      for (String name : only) {
        switch (name) {
          case "starts" -> Starts.measure(rounds, report);
          case "sends" -> Sends.measure(redis, rounds, seconds, report);
          case "latency" -> new Latency().measure(redis, rounds, seconds, report);
          case "mcp" -> McpCalls.measure(redis, rounds, seconds, report);
          case "tasks" -> new TaskRates().measure(redis, rounds, seconds, report);
          case "tokens" -> new Tokens().measure(redis, rounds, seconds, report);
          case "counting" -> {
            Counting.measure(redis, List.of("rogers"), rounds, seconds, report);
            Counting.measure(redis, List.of("rogers", "dewey"), rounds, seconds, report);
          }
          case "archiving" -> Archiving.measure(redis, rounds, seconds, report);
          case "threads" -> new Threads().measure(redis, rounds, seconds, report);
          case "memory" -> Memory.measure(redis, rounds, seconds, report);
          case "idle" -> IdleClients.measure(redis, report);
          default -> report.skip(name, "There is no measurement of that name.");
        }
      }
    }
    report.write(out);
    return 0;
  }

  /** The URL of a Redis, with its password. */
  static String url(RedisServer redis) {
    return "redis://:%s@127.0.0.1:%d".formatted(redis.password(), redis.port());
  }

  /** Starts another Redis. */
  static RedisServer redis(String... options) throws IOException, InterruptedException {
    return RedisServer.start(RedisProgram.find(MeasuredGroup.TARGET.resolve("redis")), options);
  }
}
