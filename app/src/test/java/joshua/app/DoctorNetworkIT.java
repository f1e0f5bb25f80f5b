package joshua.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import joshua.testing.FreePort;
import joshua.testing.InstalledProgram;
import joshua.testing.RealRedis;
import joshua.testing.TestRequirements;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the doctor on Redis, ports, MADs and model servers, each broken for real. */
final class DoctorNetworkIT {
  private static final String PASSWORD = "a-password-for-the-doctor";

  @TempDir private Path home;
  private DoctorStage stage;

  @BeforeEach
  void set() {
    stage = new DoctorStage(home);
  }

  private void useRedis(String url, String password) throws IOException {
    stage.set("JOSHUA_REDIS_URL", url);
    stage.set(
        "JOSHUA_REDIS_PASSWORD_FILE",
        Files.writeString(home.resolve("redis.pw"), password).toString());
  }

  private InstalledProgram redis(int port, String lines) throws IOException {
    Path program = TestRequirements.program("redis-server", "apt-get install redis-server");
    Path conf = home.resolve("redis.conf");
    Files.writeString(conf, "bind 127.0.0.1\nport %d\nsave \"\"\n%s\n".formatted(port, lines));
    return InstalledProgram.start(home, program, conf.toString())
        .awaitSaying("Ready to accept connections");
  }

  /** A server that returns the same answer to each request for a path. */
  private static HttpServer server(String path, int status, String body) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    page(server, path, status, body);
    server.start();
    return server;
  }

  private static void page(HttpServer server, String path, int status, String body) {
    byte[] bytes = body.getBytes(UTF_8);
    server.createContext(
        path,
        exchange -> {
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
  }

  @Test
  void aRedisThatIsWellIsSaidToBe() throws Exception {
    try (RealRedis redis = RealRedis.start()) {
      useRedis(redis.url(), redis.password());
      stage.finds("redis", "ok", redis.url().substring("redis://".length()) + " answers", "");
      stage.finds("redis rights", "ok", "may do what a MAD does", "");
      stage.finds("redis settings", "ok", "what can be read of them is good", "");
      stage.finds("redis clock", "left_out", "may not ask", "");
    }
  }

  @Test
  void aRedisThatIsAwayOrRefusesThePasswordIsBad() throws Exception {
    useRedis("redis://127.0.0.1:" + FreePort.any(), PASSWORD);
    stage.finds("redis", "bad", "can't be reached (connection refused)", "Start that Redis");
    try (RealRedis redis = RealRedis.start()) {
      useRedis(redis.url(), "hunter2");
      stage.finds(
          "redis", "bad", "refused the user name or password", "JOSHUA_REDIS_PASSWORD_FILE");
      assertThat(stage.printed()).doesNotContain("hunter2", redis.password());
    }
  }

  @Test
  void aUserWithoutRightsGetsToldWhichAndHowToGiveThem() throws Exception {
    int port = FreePort.any();
    String users =
        "user default off\nuser limited on >%s resetchannels &mad.* -@all +hello +ping +client +subscribe"
            .formatted(PASSWORD);
    try (InstalledProgram redis = redis(port, users)) {
      useRedis("redis://limited@127.0.0.1:" + port, PASSWORD);
      stage.finds(
          "redis rights",
          "bad",
          "may not PSUBSCRIBE mad.*, PSUBSCRIBE mad.topic.joshua-doctor.*, PUBLISH, PUBSUB",
          "ACL SETUSER name &mad.* +publish");
      assertThat(redis.isRunning()).isTrue();
    }
  }

  @Test
  void theRemedyForRightsIsOneThatRedisTakes() throws Exception {
    int port = FreePort.any();
    String users =
        "user default off\nuser limited on >%s resetchannels -@all &mad.* +publish +subscribe +unsubscribe +psubscribe +punsubscribe +pubsub +ping +hello +auth +client|setname (&* -@all +psubscribe)"
            .formatted(PASSWORD);
    try (InstalledProgram redis = redis(port, users)) {
      useRedis("redis://limited@127.0.0.1:" + port, PASSWORD);
      stage.finds("redis rights", "ok", "may do", "");
      assertThat(redis.isRunning()).isTrue();
    }
  }

  @Test
  void anOpenRedisIsBadAndSettingsThatBiteAreWarnings() throws Exception {
    int port = FreePort.any();
    try (InstalledProgram redis =
        redis(port, "maxclients 15\nuser admin on >%s ~* &* +@all".formatted(PASSWORD))) {
      useRedis("redis://admin@127.0.0.1:" + port, PASSWORD);
      assertThat(stage.look("redis"))
          .extracting(DoctorStage.Found::found)
          .contains("It lets in whoever comes, without a password.");
      List<DoctorStage.Found> settings = stage.look("redis settings");
      assertThat(settings)
          .extracting(DoctorStage.Found::remedy)
          .anySatisfy(remedy -> assertThat(remedy).contains("client-output-buffer-limit"))
          .anySatisfy(remedy -> assertThat(remedy).contains("Raise maxclients"));
      stage.finds("redis clock", "ok", "ours", "");
      assertThat(redis.isRunning()).isTrue();
    }
  }

  @Test
  void aPortHeldByAStrangerIsBadAndTheStrangerIsNamed() throws Exception {
    try (ServerSocket stranger = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      stage.set("JOSHUA_GRACE_SSH_PORT", String.valueOf(stranger.getLocalPort()));
      List<DoctorStage.Found> bad =
          stage.look("port").stream().filter(each -> each.verdict().equals("bad")).toList();
      assertThat(bad).hasSize(1);
      assertThat(bad.getFirst().found())
          .contains("for grace-ssh-port", "process " + ProcessHandle.current().pid());
      assertThat(bad.getFirst().remedy()).contains("JOSHUA_GRACE_SSH_PORT");
    }
  }

  @Test
  void theSshPortOfAMadThatRunsAloneIsItsOwn() throws Exception {
    HttpServer server =
        server("/healthz", 200, "{\"status\":\"alive\",\"mad\":\"grace\",\"version\":\"9.9.9\"}");
    try (ServerSocket ssh = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      stage.set("JOSHUA_GRACE_PORT", String.valueOf(server.getAddress().getPort()));
      stage.set("JOSHUA_GRACE_SSH_PORT", String.valueOf(ssh.getLocalPort()));

      assertThat(stage.look("port"))
          .allSatisfy(each -> assertThat(each.verdict()).as(each.found()).isEqualTo("ok"))
          .extracting(DoctorStage.Found::found)
          .contains(ssh.getLocalPort() + " for grace-ssh-port is held by a grace of Joshua 9.9.9");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void anSshPortIsLookedForWhereSshListens() throws Exception {
    try (ServerSocket stranger = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.2"))) {
      stage.set("JOSHUA_GRACE_SSH_PORT", String.valueOf(stranger.getLocalPort()));
      assertThat(stage.look("port"))
          .allSatisfy(each -> assertThat(each.verdict()).as(each.found()).isEqualTo("ok"));

      stage.set("JOSHUA_SSH_BIND", "127.0.0.2");
      assertThat(stage.look("port"))
          .filteredOn(each -> each.verdict().equals("bad"))
          .singleElement()
          .satisfies(
              each -> assertThat(each.found()).contains("for grace-ssh-port isn't to be had"));
    }
  }

  @Test
  void aMadOfAnotherBuildThatIsNotReadyIsBoth() throws Exception {
    HttpServer server =
        server("/healthz", 200, "{\"status\":\"alive\",\"mad\":\"grace\",\"version\":\"9.9.9\"}");
    try {
      page(
          server,
          "/readyz",
          503,
          "{\"status\":\"not ready\",\"problems\":[{\"name\":\"bus\",\"problem\":\"away\"}]}");
      stage.set("JOSHUA_GRACE_PORT", String.valueOf(server.getAddress().getPort()));

      List<DoctorStage.Found> grace = stage.look("grace");
      assertThat(grace).extracting(DoctorStage.Found::verdict).containsExactly("warning", "bad");
      assertThat(grace.get(0).found()).contains("It runs as 9.9.9");
      assertThat(grace.get(1).found()).isEqualTo("It isn't ready: bus: away");
      assertThat(stage.look("port").getFirst().found())
          .endsWith("is held by a grace of Joshua 9.9.9");

      stage.set("JOSHUA_FIEDLER_PORT", String.valueOf(server.getAddress().getPort()));
      stage.finds("fiedler", "bad", "answers \"grace\" instead", "a port of its own");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aModelServerThatIsAwayIsBad() throws Exception {
    stage.set("JOSHUA_MODEL_PROVIDER", "ollama").set("JOSHUA_MODEL_NAME", "tiny");
    stage.set("JOSHUA_MODEL_BASE_URL", "http://127.0.0.1:" + FreePort.any());
    stage.finds("model", "bad", "/api/tags of fiedler and rogers can't be reached", "Start that");
  }

  @Test
  void aKeyThatIsRefusedIsBadAndIsNotPrinted() throws Exception {
    HttpServer server = server("/v1/models", 401, "{\"error\":\"no such key sk-hunter2\"}");
    try {
      useModel(server);
      stage.finds("model", "bad", "refuses the key of fiedler and rogers (401)", "a valid key");
      assertThat(stage.printed()).doesNotContain("hunter2");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aModelThatTheServerDoesNotListIsAWarning() throws Exception {
    HttpServer server = server("/v1/models", 200, "{\"data\":[{\"id\":\"small\"}]}");
    try {
      useModel(server);
      stage.finds("model", "warning", "doesn't list [large]", "JOSHUA_MODEL_NAME");
      stage.set("JOSHUA_MODEL_NAME", "small");
      stage.finds("model", "ok", "has [small]", "");
    } finally {
      server.stop(0);
    }
  }

  private void useModel(HttpServer server) throws IOException {
    stage.set("JOSHUA_MODEL_PROVIDER", "openai").set("JOSHUA_MODEL_NAME", "large");
    stage.set(
        "JOSHUA_MODEL_BASE_URL", "http://127.0.0.1:%d/v1".formatted(server.getAddress().getPort()));
    stage.set(
        "JOSHUA_MODEL_API_KEY_FILE",
        Files.writeString(home.resolve("key"), "sk-hunter2").toString());
  }
}
