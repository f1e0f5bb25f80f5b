package joshua.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import joshua.testing.RedisServer;

/**
 * The benchmark of tool calls by MCP over HTTP, on 16 connections with one call in flight each: a
 * poll of an empty queue in turn with an echo on the official SDKs' stateless servers.
 */
final class McpCalls {
  private static final int CONNECTIONS = 16;
  private static final long SECOND = 1_000;
  private static final long WARM_UP = 8 * SECOND;

  private McpCalls() {}

  /** A server in a process of its own, which writes its port. */
  private record Server(String name, String aim, Peer peer) {}

  static void measure(RedisServer redis, int rounds, int seconds, Report report)
      throws IOException, InterruptedException {
    List<Server> servers = new ArrayList<>();
    HttpCalls echo = new HttpCalls("echo", "{\"text\":\"hello\"}");
    HttpCalls subscribe =
        new HttpCalls(
            "grace_subscribe", "{\"client_id\":\"bench\",\"topics\":[\"mad.topic.empty\"]}");
    HttpCalls poll = new HttpCalls("grace_poll_messages", "{\"client_id\":\"bench\"}");
    try (MeasuredGroup group = MeasuredGroup.start(redis)) {
      servers.add(new Server("Java SDK", ">= 1.9", Peer.java("-Xmx1g", JavaSdkServer.class)));
      Peer node = Peer.node(report, "server.mjs");
      if (node != null) {
        servers.add(new Server("TypeScript SDK", ">= 3.5", node));
      }
      calls(group.port(), subscribe, SECOND);
      group.settle(() -> calls(group.port(), poll, SECOND));
      for (Server server : servers) {
        int port = (int) server.peer().number();
        calls(port, echo, WARM_UP);
        Rounds<Double> calls =
            Rounds.of(
                rounds,
                () -> calls(group.port(), poll, seconds * SECOND),
                () -> calls(port, echo, seconds * SECOND));
        report.add(
            calls.figure(
                "MCP calls a second", Double::doubleValue, server.name(), server.aim(), ""));
      }
    } finally {
      servers.forEach(server -> server.peer().close());
    }
  }

  private static double calls(int port, HttpCalls protocol, long millis) throws IOException {
    try (Load load = new Load(port, CONNECTIONS, 1, protocol)) {
      return load.run(millis) * (double) SECOND / millis;
    }
  }
}
