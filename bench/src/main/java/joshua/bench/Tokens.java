package joshua.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import joshua.testing.ModelDialect;
import joshua.testing.ModelServer;
import joshua.testing.RedisServer;

/**
 * The benchmark of the tokens of 100 concurrent tasks, from a model server with OpenAI's protocol:
 * stored, published, and ended. First each model writes 50 tokens a second, then as fast as it can.
 */
final class Tokens {
  private static final int TASKS = 100;
  private static final int TOKENS_PER_SECOND = 50;
  private static final int FAST_TOKENS = 5_000;
  private static final int FAST_PIECE_TOKENS = 50;
  private long next = System.currentTimeMillis() * 1_000; // earlier runs have left their tasks

  void measure(RedisServer redis, int rounds, int seconds, Report report)
      throws IOException, InterruptedException {
    List<Double> late = new ArrayList<>();
    List<Double> rates = new ArrayList<>();
    try (ModelServer model = new ModelServer().otherwise(exchange -> write(exchange, seconds));
        MeasuredGroup group =
            MeasuredGroup.start(
                redis,
                List.of(),
                List.of(
                    "--tasks-running=" + TASKS,
                    "--model-provider=openai",
                    "--model-name=m",
                    "--model-base-url=" + ModelDialect.OPENAI.url(model)))) {
      seconds(group, "many"); // warm up
      for (int round = 0; round < rounds; round++) {
        late.add(seconds(group, "few") - seconds);
        rates.add(TASKS * FAST_TOKENS / seconds(group, "many"));
      }
    }
    report.add(Figure.alone("100 times 50 tokens/s, s late", late, "<= 1", ""));
    report.add(Figure.alone("tokens a second, flat out", rates, ">= 100000", ""));
  }

  private static void write(ModelServer.Exchange exchange, int seconds) throws Exception {
    ModelDialect dialect = ModelDialect.OPENAI;
    boolean many = exchange.body().contains("Write many");
    int tokens = many ? FAST_TOKENS : TOKENS_PER_SECOND * seconds;
    String token = dialect.text("word ");
    long began = System.nanoTime();
    exchange.open(dialect.contentType());
    exchange.chunk(dialect.begin());
    for (int written = 0; written < tokens; ) {
      int now = many ? FAST_PIECE_TOKENS : 1;
      exchange.chunk(token.repeat(now));
      written += now;
      if (!many) {
        long due = began + TimeUnit.SECONDS.toNanos(1) * written / TOKENS_PER_SECOND;
        new CountDownLatch(1).await(due - System.nanoTime(), TimeUnit.NANOSECONDS);
      }
    }
    exchange.chunk(dialect.end("stop"));
    exchange.end();
  }

  /** The time that all tasks of a kind take, in seconds. */
  private double seconds(MeasuredGroup group, String kind) throws IOException {
    long began = System.nanoTime();
    List<FrameSocket> callers = new ArrayList<>();
    for (int i = 0; i < TASKS; i++) {
      FrameSocket caller = new FrameSocket(group.port("fiedler"));
      caller.send(
          Frames.call(
              "fiedler_converse",
              "{\"prompt\":\"Write %s tokens, %d.\",\"requester_id\":\"bench\",\"wait\":true}"
                  .formatted(kind, next++)));
      callers.add(caller);
    }
    for (FrameSocket caller : callers) {
      String answer = caller.next();
      if (!answer.contains("completed")) {
        throw new IOException("A task didn't end well: " + answer);
      }
      caller.close();
    }
    return (System.nanoTime() - began) / 1e9;
  }
}
