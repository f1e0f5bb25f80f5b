package joshua.bench;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.testing.RedisServer;

/**
 * The benchmark of ten thousand idle subscribers in a group with a heap of 256 MiB (statement 4):
 * the heap in use, and whether another client is served.
 */
final class IdleClients {
  private static final int CLIENTS = 10_000;
  private static final int CONNECTIONS = 50;
  private static final long SECOND = 1_000;

  private IdleClients() {}

  static void measure(RedisServer redis, Report report) throws IOException, InterruptedException {
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
      double heap = group.metric("grace", "jvm_memory_used_bytes{area=\"heap\"}");
      report.add(
          Figure.alone(
              "10 000 idle clients, heap in MiB",
              List.of(heap / (1 << 20)),
              "< 256",
              "queues: %.0f; another client makes %.0f sends a second meanwhile"
                  .formatted(group.metric("grace", "joshua_relay_clients"), served)));
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
}
