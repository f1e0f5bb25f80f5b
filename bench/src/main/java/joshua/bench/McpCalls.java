package joshua.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import joshua.testing.RedisServer;

/**
 * Calls of a tool by MCP over HTTP, 16 connections with one call in flight each: a poll of an empty
 * queue beside an echo on the official SDKs' stateless servers, in turn.
 */
final class McpCalls {
  private static final int CONNECTIONS = 16;
  private static final long SECOND = 1_000;
  private static final long WARM_UP = 8 * SECOND;

  private final RedisServer redis;

  McpCalls(RedisServer redis) {
    this.redis = redis;
  }

  /** A server in a process of its own, which writes its port. */
  private record Peer(String name, String aim, Process process, int port, List<Double> calls) {
    static Peer start(String name, String aim, Path directory, String... command)
        throws IOException {
      Process process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectError(Redirect.DISCARD)
              .start();
      BufferedReader out = process.inputReader();
      String port = out.readLine();
      if (port == null) {
        throw new IOException(name + " ended at once.");
      }
      return new Peer(name, aim, process, Integer.parseInt(port), new ArrayList<>());
    }
  }

  void measure(int rounds, int seconds, Report report) throws IOException, InterruptedException {
    List<Peer> peers = new ArrayList<>();
    List<Double> ours = new ArrayList<>();
    HttpCalls echo = new HttpCalls("echo", "{\"text\":\"hello\"}");
    HttpCalls poll = new HttpCalls("grace_poll_messages", "{\"client_id\":\"bench\"}");
    try (MeasuredGroup group = MeasuredGroup.start(redis)) {
      peers.add(javaSdk());
      Path modules = NpmPackages.installed(report);
      if (modules != null) {
        peers.add(Peer.start("TypeScript SDK", ">= 3.5", modules, "node", "server.mjs"));
      }
      once(
          group.port(),
          new HttpCalls(
              "grace_subscribe", "{\"client_id\":\"bench\",\"topics\":[\"mad.topic.empty\"]}"));
      calls(group.port(), poll, WARM_UP);
      for (Peer peer : peers) {
        calls(peer.port(), echo, WARM_UP);
      }
      for (int round = 0; round < rounds; round++) {
        ours.add(calls(group.port(), poll, seconds * SECOND));
        for (Peer peer : peers) {
          peer.calls().add(calls(peer.port(), echo, seconds * SECOND));
        }
      }
    } finally {
      peers.forEach(peer -> peer.process().destroy());
    }
    for (Peer peer : peers) {
      report.add(new Figure("MCP calls a second", ours, peer.name(), peer.calls(), peer.aim(), ""));
    }
  }

  private static double calls(int port, HttpCalls protocol, long millis) throws IOException {
    try (Load load = new Load(port, CONNECTIONS, 1, protocol)) {
      return load.run(millis) * (double) SECOND / millis;
    }
  }

  private static void once(int port, HttpCalls protocol) throws IOException {
    try (Load load = new Load(port, 1, 1, protocol)) {
      var _ = load.run(SECOND);
    }
  }

  private static Peer javaSdk() throws IOException {
    return Peer.start(
        "Java SDK",
        ">= 1",
        MeasuredGroup.HOME,
        MeasuredGroup.JAVA,
        "-Xmx1g",
        "-cp",
        System.getProperty("java.class.path"),
        JavaSdkServer.class.getName());
  }
}
