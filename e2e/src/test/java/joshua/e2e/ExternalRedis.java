package joshua.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import joshua.testing.FreePort;
import joshua.testing.InstalledProgram;
import joshua.testing.Needs;
import joshua.testing.RawRedis;

/** The machine's own {@code redis-server}, with a password and nothing of ours about it. */
record ExternalRedis(InstalledProgram server, int port, Path passwordFile)
    implements AutoCloseable {
  static final String PASSWORD = "correct-horse-battery-staple";

  static ExternalRedis on(Stage stage) {
    Path program = Needs.program("redis-server", "apt-get install redis-server");
    int port = FreePort.any();
    InstalledProgram server =
        InstalledProgram.start(
            stage.path(),
            program,
            "--port",
            Integer.toString(port),
            "--bind",
            "127.0.0.1",
            "--requirepass",
            PASSWORD,
            "--save",
            "");
    Path passwordFile = stage.path().resolve("external.password");
    try {
      Files.writeString(passwordFile, PASSWORD + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return stage.add(
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
