package joshua.bench;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.testing.RedisServer;

/**
 * The benchmark of ten thousand idle subscribers in a group with a heap of 256 MiB (statement 4):
 * the heap in use, and whether others are served.
 */
final class IdleClients {
  private static final int CLIENTS = 10_000;
  private static final int CONNECTIONS = 50;
  private static final long LOOK_EVERY_MS = 100;

  private IdleClients() {}

  static void measure(RedisServer redis, Report report) throws IOException, InterruptedException {
    AtomicInteger next = new AtomicInteger();
    try (MeasuredGroup group = MeasuredGroup.start(redis, "-Xmx256m")) {
      String subscribe =
          "{\"client_id\":\"c-%1$d\",\"topics\":[\"mad.direct.c-%1$d\",\"mad.broadcast\"]}";
      String call = Frames.call("grace_subscribe", subscribe);
      Frames frames =
          new Frames(
              _ -> Frames.frame(call.formatted(next.getAndIncrement() % CLIENTS)), "success");
      try (Load load = new Load(group.port(), CONNECTIONS, 1, frames)) {
        for (long answered = 0; answered < CLIENTS; ) {
          answered += load.run(LOOK_EVERY_MS);
        }
      }
      double heap = group.metric("grace", "jvm_memory_used_bytes{area=\"heap\"}");
      report.add(
          Figure.alone(
              "10 000 idle clients, heap in MiB",
              List.of(heap / (1 << 20)),
              "< 256",
              "queues: %.0f; other clients make %.0f sends a second meanwhile"
                  .formatted(
                      group.metric("grace", "joshua_relay_clients"), Sends.settled(group, 4))));
    }
  }
}
