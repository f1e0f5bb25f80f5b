package joshua.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import joshua.testing.RedisServer;

/**
 * The benchmark of shared memory by MCP over HTTP: eight writers that each edit a document of 1 KB,
 * one that thinks, and one that lists the tools.
 */
final class Memory {
  private static final int WRITERS = 8;
  private static final double SECOND = 1_000;

  private Memory() {}

  static void measure(RedisServer redis, int rounds, int seconds, Report report)
      throws IOException, InterruptedException {
    AtomicLong number = new AtomicLong();
    String text = "x".repeat(1_000);
    HttpCalls edit =
        new HttpCalls(
            "/mcp",
            "document_edit",
            writer ->
                "{\"client_id\":\"w%d\",\"path\":\"w%d.json\",\"merge\":{\"n\":%d,\"text\":\"%s\"}}"
                    .formatted(writer, writer, number.incrementAndGet(), text));
    HttpCalls think =
        new HttpCalls(
            "/mcp/thinking",
            "think",
            _ -> // a session has at most 10 000
            "{\"client_id\":\"t%d\",\"thought\":\"so\"}"
                    .formatted(number.incrementAndGet() / 1_000));
    try (MeasuredGroup group = MeasuredGroup.start(redis)) {
      int port = group.port("horace");
      group.settle(() -> calls(port, WRITERS, edit, 1));
      List<Double> edits = new ArrayList<>();
      List<Double> lists = new ArrayList<>();
      List<Double> thoughts = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        edits.add(calls(port, WRITERS, edit, seconds));
        lists.add(SECOND / calls(port, 1, HttpCalls.lists("/mcp"), seconds));
        thoughts.add(SECOND / calls(port, 1, think, seconds));
      }
      report.add(Figure.alone("edits of 1 KB a second, 8 writers", edits, ">= 2000", ""));
      report.add(Figure.alone("think, ms", thoughts, "<= 3", ""));
      report.add(Figure.alone("tools/list of shared memory, ms", lists, "<= 5", ""));
    }
  }

  private static double calls(int port, int connections, HttpCalls protocol, int seconds)
      throws IOException {
    try (Load load = new Load(port, connections, 1, protocol)) {
      return load.run(seconds * (long) SECOND) / (double) seconds;
    }
  }
}
