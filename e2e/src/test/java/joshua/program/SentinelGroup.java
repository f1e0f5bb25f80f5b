package joshua.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import joshua.app.redis.RedisProgram;
import joshua.testing.Await;
import joshua.testing.FreePort;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;

/** A Redis with a replica, and a Sentinel that makes the replica the master when Redis dies. */
final class SentinelGroup implements AutoCloseable {
  private static final String NAME = "mymaster";
  private static final String USER = "joshua";
  private static final String PASSWORD = "a-secret";

  private final RedisServer master;
  private final RedisServer replica;
  private final Process sentinel;
  private final int port = FreePort.next();

  SentinelGroup(Path directory) throws IOException, InterruptedException {
    Path program = RedisProgram.find(Path.of("target", "redis"));
    master = RedisServer.start(program);
    letIn(master);
    replica =
        RedisServer.start(
            program,
            "--dir %s --replicaof 127.0.0.1 %d --masteruser %s --masterauth %s"
                .formatted(directory, master.port(), USER, PASSWORD)
                .split(" "));
    letIn(replica);
    String settings =
        """
        port %2$d
        bind 127.0.0.1
        sentinel monitor %1$s 127.0.0.1 %3$d 1
        sentinel auth-user %1$s %4$s
        sentinel auth-pass %1$s %5$s
        sentinel down-after-milliseconds %1$s 1000
        sentinel failover-timeout %1$s 5000
        """
            .formatted(NAME, port, master.port(), USER, PASSWORD);
    Path file = Files.writeString(directory.resolve("sentinel.conf"), settings);
    sentinel =
        new ProcessBuilder(program.toString(), file.toString(), "--sentinel")
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(directory.resolve("sentinel.log").toFile()))
            .start();
    Await.until("Sentinel knows the replica", this::knowsTheReplica);
  }

  private static void letIn(RedisServer redis) {
    try (RawRedis raw = redis.connect()) {
      raw.call("ACL", "SETUSER", USER, "on", ">" + PASSWORD, "+@all", "~*", "&*");
    }
  }

  private boolean knowsTheReplica() {
    try (RawRedis raw = RawRedis.connect(port)) {
      return raw.call("SENTINEL", "REPLICAS", NAME).contains(Integer.toString(replica.port()));
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  /** {@code redis-sentinel://…}, without the password. */
  String url() {
    return "redis-sentinel://%s@127.0.0.1:%d#%s".formatted(USER, port, NAME);
  }

  String password() {
    return PASSWORD;
  }

  /** Kills the master; the replica takes its place within a few seconds. */
  void killMaster() {
    master.kill();
  }

  @Override
  public void close() {
    sentinel.destroyForcibly().onExit().join();
    replica.close();
    master.close();
  }
}
