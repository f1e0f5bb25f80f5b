package joshua.bench;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import joshua.app.redis.RedisProgram;
import joshua.testing.RedisServer;

/**
 * Durable tasks a second, one a call, by 64 callers: each is on disk before its answer, done,
 * streamed and told. In turn with BullMQ on a Redis that writes to disk as often ({@code
 * appendfsync always}). Counted when the last is done, from the first call on.
 */
final class TaskRates {
  private static final int CALLERS = 64;
  private static final int WARM_UP_SECONDS = 10;
  private static final double MILLIS = 1_000;
  private static final String PEER = "BullMQ";
  private static final Pattern COMPLETED =
      Pattern.compile("joshua_tasks_ended_total\\{status=\"COMPLETED\"} ([0-9.E]+)");

  private final RedisServer redis;
  private long next;

  TaskRates(RedisServer redis) {
    this.redis = redis;
  }

  void measure(int rounds, int seconds, Report report) throws IOException, InterruptedException {
    List<Double> ours = new ArrayList<>();
    List<Double> theirs = new ArrayList<>();
    List<Double> answers = new ArrayList<>();
    Path modules = NpmPackages.installed(report);
    try (MeasuredGroup group = MeasuredGroup.start(redis);
        HttpClient http = HttpClient.newHttpClient();
        Peer peer = modules == null ? null : Peer.start(modules)) {
      rate(group, http, WARM_UP_SECONDS);
      if (peer != null) {
        peer.rate(WARM_UP_SECONDS);
      }
      for (int round = 0; round < rounds; round++) {
        ours.add(rate(group, http, seconds));
        answers.add(oneAnswer(group));
        if (peer != null) {
          theirs.add(peer.rate(seconds));
        }
      }
    }
    report.add(
        new Figure(
            "durable tasks a second", ours, theirs.isEmpty() ? "" : PEER, theirs, ">= 1", ""));
    report.add(new Figure("help, from call to answer, in ms", answers, "", List.of(), "<= 10", ""));
  }

  private Frames prompts(String more, String status) {
    String call =
        Frames.call(
            "fiedler_converse",
            "{\"prompt\":\"help\",\"requester_id\":\"bench-%02d\",\"idempotency_key\":\"%d\""
                + more
                + "}");
    return new Frames(connection -> Frames.frame(call.formatted(connection, next++)), status);
  }

  private double rate(MeasuredGroup group, HttpClient http, int seconds)
      throws IOException, InterruptedException {
    long before = completed(group, http);
    long began = System.nanoTime();
    long accepted;
    try (Load load = new Load(group.port("fiedler"), CALLERS, 1, prompts("", "pending"))) {
      accepted = load.run(seconds * (long) MILLIS);
    }
    long done = completed(group, http) - before;
    while (done < accepted) {
      if (System.nanoTime() - began > TimeUnit.MINUTES.toNanos(2)) {
        throw new IOException("Of %d tasks %d ended.".formatted(accepted, done));
      }
      done = completed(group, http) - before;
    }
    return done * 1e9 / (System.nanoTime() - began);
  }

  /** How long a caller waits for an answer, when nobody else calls. */
  private double oneAnswer(MeasuredGroup group) throws IOException {
    Frames waiting = prompts(",\"wait\":true", "completed");
    try (Load load = new Load(group.port("fiedler"), 1, 1, waiting)) {
      return MILLIS / load.run((long) MILLIS);
    }
  }

  private static long completed(MeasuredGroup group, HttpClient http)
      throws IOException, InterruptedException {
    URI page = URI.create("http://127.0.0.1:%d/metrics".formatted(group.port("fiedler")));
    String metrics =
        http.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
            .body();
    var found = COMPLETED.matcher(metrics);
    return found.find() ? (long) Double.parseDouble(found.group(1)) : 0;
  }

  /** BullMQ, in a process of its own. */
  private record Peer(RedisServer redis, Process process, BufferedReader out, BufferedWriter in)
      implements AutoCloseable {
    static Peer start(Path modules) throws IOException, InterruptedException {
      Path directory = MeasuredGroup.emptyDirectory("bullmq");
      RedisServer durable =
          RedisServer.start(
              RedisProgram.find(MeasuredGroup.TARGET.resolve("redis")).file(),
              "--dir",
              directory.toString(),
              "--appendonly",
              "yes",
              "--appendfsync",
              "always");
      Process process =
          new ProcessBuilder(
                  "node",
                  "queue.mjs",
                  Integer.toString(durable.port()),
                  durable.password(),
                  Integer.toString(CALLERS))
              .directory(modules.toFile())
              .redirectError(Redirect.DISCARD)
              .start();
      return new Peer(durable, process, process.inputReader(), process.outputWriter());
    }

    double rate(int seconds) throws IOException {
      in.write(seconds + "\n");
      in.flush();
      String line = out.readLine();
      if (line == null) {
        throw new IOException("BullMQ ended.");
      }
      return Double.parseDouble(line);
    }

    @Override
    public void close() {
      process.destroy();
      process.onExit().join();
      redis.close();
    }
  }
}
