package joshua.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import joshua.testing.FreePort;
import joshua.testing.InstalledProgram;
import joshua.testing.RawRedis;
import joshua.testing.TestRequirements;

/** The machine's own {@code redis-server}, with a password and otherwise without our settings. */
record ExternalRedis(InstalledProgram server, int port, Path passwordFile)
    implements AutoCloseable {
  static final String PASSWORD = "correct-horse-battery-staple";

  static ExternalRedis on(TestEnvironment environment) {
    Path program = TestRequirements.program("redis-server", "apt-get install redis-server");
    int port = FreePort.any();
    InstalledProgram server =
        InstalledProgram.start(
            environment.path(),
            program,
            "--port",
            Integer.toString(port),
            "--bind",
            "127.0.0.1",
            "--requirepass",
            PASSWORD,
            "--save",
            "");
    Path passwordFile = environment.path().resolve("external.password");
    try {
      Files.writeString(passwordFile, PASSWORD + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return environment.add(
        new ExternalRedis(server.awaitSaying("Ready to accept connections"), port, passwordFile));
  }

  String url() {
    return "redis://127.0.0.1:" + port;
  }

  RawRedis raw() {
    return RawRedis.to(port, PASSWORD);
  }

  @Override
  public void close() {
    server.close();
  }
}
