package joshua.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.testing.RedisServer;

/**
 * Ten thousand clients that have subscribed and do nothing, in a group with a heap of 256 MiB
 * (statement 4): what the heap holds then, and whether another client is served.
 */
final class IdleClients {
  private static final int CLIENTS = 10_000;
  private static final int CONNECTIONS = 50;
  private static final long SECOND = 1_000;
  private static final Pattern HEAP =
      Pattern.compile("jvm_memory_used_bytes\\{area=\"heap\"} ([0-9.E]+)");
  private static final Pattern QUEUES = Pattern.compile("joshua_relay_clients ([0-9.E]+)");

  private final RedisServer redis;

  IdleClients(RedisServer redis) {
    this.redis = redis;
  }

  void measure(Report report) throws IOException, InterruptedException {
    AtomicInteger next = new AtomicInteger();
    try (MeasuredGroup group = MeasuredGroup.start(redis, "-Xmx256m")) {
      Frames frames =
          new Frames(connection ->
              Frames.frame(
                  Frames.call(
                      "grace_subscribe",
                      "{\"client_id\":\"c-%1$d\",\"topics\":[\"mad.direct.c-%1$d\",\"mad.broadcast\"]}"
                          .formatted(next.getAndIncrement() % CLIENTS))));
      try (Load load = new Load(group.port(), CONNECTIONS, 1, frames)) {
        for (long answered = 0; answered < CLIENTS; ) {
          answered += load.run(SECOND / 10);
        }
      }
      double served = served(group.port());
      String page = metrics(group.port());
      report.add(
          new Figure(
              "10 000 idle clients, heap in MiB",
              List.of(number(HEAP, page) / (1 << 20)),
              "",
              List.of(),
              "< 256",
              "queues: %.0f; another client makes %.0f sends a second meanwhile"
                  .formatted(number(QUEUES, page), served)));
    }
  }

  private static double served(int port) throws IOException {
    byte[] send =
        Frames.frame(
            Frames.call(
                "grace_send_message",
                "{\"client_id\":\"sender\",\"channel\":\"mad.topic.nobody\",\"payload\":{}}"));
    Frames frames = new Frames(connection -> send);
    try (Load load = new Load(port, 4, 4, frames)) {
      return load.run(4 * SECOND) / 4.0;
    }
  }

  private static String metrics(int port) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      URI page = URI.create("http://127.0.0.1:%d/metrics".formatted(port));
      return http.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  private static double number(Pattern pattern, String page) {
    Matcher matcher = pattern.matcher(page);
    if (!matcher.find()) {
      throw new IllegalStateException(pattern + " isn't in the metrics");
    }
    return Double.parseDouble(matcher.group(1));
  }
}
