package joshua.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import joshua.testing.FreePort;
import joshua.testing.InstalledProgram;
import joshua.testing.RawRedis;
import joshua.testing.TestRequirements;

/**
 * The files that {@code ./joshua init} creates, and the machine's own {@code redis-server} with its
 * ACL.
 *
 * @param auditor the password of a user that the test adds, which may read what was refused
 */
record InitializedInstallation(Path home, InstalledProgram server, int port, String auditor)
    implements AutoCloseable {

  static InitializedInstallation on(TestEnvironment environment) {
    Path program = TestRequirements.program("redis-server", "apt-get install redis-server");
    Path home = environment.path().resolve("installation");
    Path acl = environment.path().resolve("users.acl");
    String auditor = "the-auditor-of-this-test";
    try {
      Files.createDirectories(home.resolve("configs"));
      Files.copy(BuiltProgram.HOME.resolve("joshua"), home.resolve("joshua"));
      Files.copy(BuiltProgram.HOME.resolve("configs/init.sh"), home.resolve("configs/init.sh"));
      ProgramRun init =
          environment.program(List.of("sh", home.resolve("joshua").toString(), "init"));
      if (init.exitStatus() != 0) {
        throw new AssertionError(init.toString());
      }
      Files.writeString(
          acl,
          Files.readString(home.resolve("configs/redis/users.acl"))
              + "user auditor on >%s -@all +acl|log\n".formatted(auditor));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int port = FreePort.any();
    InstalledProgram server =
        InstalledProgram.start(
            environment.path(),
            program,
            "--port",
            Integer.toString(port),
            "--bind",
            "127.0.0.1",
            "--aclfile",
            acl.toString(),
            "--save",
            "");
    return environment.add(
        new InitializedInstallation(
            home, server.awaitSaying("Ready to accept connections"), port, auditor));
  }

  Path secret(String name) {
    return home.resolve("configs/secrets").resolve(name);
  }

  /** The settings that make a MAD log in as {@code user}. */
  List<String> settings(String user) {
    return List.of(
        "JOSHUA_REDIS_URL=redis://%s@127.0.0.1:%d".formatted(user, port),
        "JOSHUA_REDIS_PASSWORD_FILE=" + secret("redis-" + user + ".password"));
  }

  /** A connection to Redis, logged in as {@code user}. */
  RawRedis as(String user) {
    return at(port, user);
  }

  /** The same to another Redis that has these users. */
  RawRedis at(int server, String user) {
    try {
      return RawRedis.to(
          server, user, Files.readString(secret("redis-" + user + ".password")).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Redis' refusals so far, an entry each. Without CLIENT SETINFO: Lettuce tries it, and can do
   * without.
   */
  List<String> refused() {
    try (RawRedis redis = RawRedis.to(port, "auditor", auditor)) {
      return Arrays.stream(redis.call("ACL", "LOG").split("\\[count, "))
          .skip(1)
          .filter(entry -> !entry.contains("client|setinfo"))
          .toList();
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
