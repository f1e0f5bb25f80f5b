package joshua.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Map;
import joshua.app.redis.RedisProgram;
import joshua.program.Program.Run;
import joshua.testing.Await;
import joshua.testing.FreePort;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program on each kind of Redis that the documentation names. */
@Tag("slow")
class WaysToRedisTest {
  private static final String TRUST_PASSWORD = "changeit";

  @TempDir private Path directory;

  @Test
  void aMasterThatSentinelsNameAndTheNextOne() throws Exception {
    try (SentinelGroup sentinels = new SentinelGroup(directory);
        Program program =
            new Program(
                directory, Program.settings(directory, sentinels.url(), sentinels.password()))) {
      program.start("up").awaitSaid("./joshua stop");
      assertThat(program.run("doctor").said())
          .contains("redis     mymaster (Sentinels 127.0.0.1:")
          .contains("message   One went by MCP to Grace, over the bus, and back.");
      Run tail = program.start("tail", "mad.topic.news", "-n", "1");
      tail.awaitSaid("Following");
      sentinels.killMaster();
      Await.until(
          "a message arrives by the next master",
          () -> {
            program.run("send", "mad.topic.news", "hello");
            return !tail.process().isAlive();
          });
      assertThat(tail.said()).contains("hello");
      assertThat(program.run("losses").said()).contains("reconnect");
    }
  }

  @Test
  void redisByTls() throws Exception {
    Path program = RedisProgram.find(Path.of("target", "redis"));
    Path keys = directory.resolve("keys.p12");
    String keytool =
        "%s/bin/keytool -genkeypair -alias redis -keyalg EC -dname CN=localhost"
            + " -ext san=dns:localhost -storepass %s -keystore %s";
    String[] command =
        keytool.formatted(System.getProperty("java.home"), TRUST_PASSWORD, keys).split(" ");
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keys)) {
      store.load(in, TRUST_PASSWORD.toCharArray());
    }
    Path certificate = pem("CERTIFICATE", store.getCertificate("redis").getEncoded());
    Path key = pem("PRIVATE KEY", store.getKey("redis", TRUST_PASSWORD.toCharArray()).getEncoded());
    int port = FreePort.next();
    String tls = "--tls-port %d --tls-auth-clients no --tls-cert-file %s --tls-key-file %s";
    try (RedisServer redis =
        RedisServer.start(program, tls.formatted(port, certificate, key).split(" "))) {
      Map<String, String> settings =
          Program.settings(directory, "rediss://localhost:" + port, redis.password());
      try (Program stranger = new Program(directory, settings)) {
        assertThat(stranger.run("up").complained())
            .contains("Redis at localhost:%d can't be reached".formatted(port))
            .contains("the TLS handshake failed");
      }
      settings.put(
          "JAVA_TOOL_OPTIONS",
          "-Djavax.net.ssl.trustStore=%s -Djavax.net.ssl.trustStorePassword=%s"
              .formatted(keys, TRUST_PASSWORD));
      try (Program trusting = new Program(directory, settings)) {
        trusting.start("up").awaitSaid("./joshua stop");
        assertThat(trusting.run("doctor").said())
            .contains("message   One went by MCP to Grace, over the bus, and back.");
      }
    } catch (AssertionError e) {
      assumeTrue(
          !String.valueOf(e.getMessage()).contains("tls-") || "true".equals(System.getenv("CI")),
          "this Redis was built without TLS");
      throw e;
    }
  }

  private Path pem(String what, byte[] encoded) throws IOException {
    String text = Base64.getMimeEncoder().encodeToString(encoded);
    return Files.writeString(
        directory.resolve(what.replace(' ', '-') + ".pem"),
        "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n".formatted(what, text));
  }
}
