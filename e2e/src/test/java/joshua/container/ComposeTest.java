package joshua.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import joshua.app.Services;
import joshua.kernel.Json;
import joshua.testing.Await;
import joshua.testing.FreePort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The group of docker-compose.yml, as {@code joshua init} prepares it. */
class ComposeTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @TempDir private Path directory;

  @Test
  void theGroupRunsInContainersAndKeepsWhatItHas() throws Exception {
    Commands commands = new Commands(directory);
    commands.needDocker();
    Path compose = directory.resolve("docker-compose.yml");
    Files.copy(ROOT.resolve("docker-compose.yml"), compose);
    assertThat(commands.status("docker-compose", "config")).as("without .env").isNotZero();
    String init = ROOT.resolve("joshua").toString();
    assertThat(commands.run(init, "init")).contains("written  .env\n");
    Path environment = directory.resolve(".env");
    String written = Files.readString(environment);
    assertThat(commands.run(init, "init")).contains("kept     .env\n").doesNotContain("written");
    assertThat(environment).hasContent(written);
    int grace = FreePort.next();
    int rogers = FreePort.next();
    Files.writeString(
        environment,
        written
            .replace("GRACE_PORT=8000", "GRACE_PORT=" + grace)
            .replace("FIEDLER_PORT=8001", "FIEDLER_PORT=" + FreePort.next())
            .replace("DEWEY_PORT=8003", "DEWEY_PORT=" + FreePort.next())
            .replace("HORACE_PORT=8004", "HORACE_PORT=" + FreePort.next())
            .replace("ROGERS_PORT=8002", "ROGERS_PORT=" + rogers));
    String token = Files.readString(directory.resolve("admin.token")).strip();
    try {
      commands.run("docker-compose", "up", "-d", "--no-build");
      Await.until("all are healthy", () -> areHealthy(commands));
      Object[] message = {
        "client_id", "admin", "channel", "mad.topic.kept", "payload", Json.object()
      };
      Commands.call(grace, token, "grace_send_message", message);
      assertThat(tasksInTheConsole(rogers, token)).startsWith("{\"status\":\"success\"");
      commands.run("docker-compose", "exec", "-T", "fiedler", "joshua", "ask", "help");
      Await.until("it is counted", () -> stats(commands).contains("admin"));
      assertThat(commands.run("docker-compose", "exec", "-T", "redis", "redis-cli", "ping"))
          .contains("NOAUTH");

      commands.run("docker-compose", "stop");
      for (String id : commands.run("docker-compose", "ps", "-aq").lines().toList()) {
        assertThat(commands.run("docker", "inspect", "-f", "{{.State.ExitCode}}", id).strip())
            .as("stopped by itself, not killed")
            .isIn("0", "143");
      }
      commands.run("docker-compose", "down");
      commands.run("docker-compose", "up", "-d", "--no-build");
      Await.until("all are healthy", () -> areHealthy(commands));
      assertThat(stats(commands)).contains("admin");
      assertThat(
              commands.run(
                  "docker-compose", "exec", "-T", "dewey", "joshua", "history", "mad.topic.kept"))
          .contains("admin");
      assertThat(
              commands.run(
                  "docker-compose", "exec", "-T", "fiedler", "joshua", "tasks", "--kind", "all"))
          .contains("COMPLETED");
    } catch (AssertionError e) {
      throw new AssertionError(commands.run("docker-compose", "logs", "--tail=30"), e);
    } finally {
      commands.run("docker-compose", "down", "-v", "--timeout", "10");
    }
  }

  /** As the console asks Rogers for them, who asks Fiedler in another container. */
  private static String tasksInTheConsole(int port, String token) throws Exception {
    String page = "http://127.0.0.1:" + port;
    String call = "{\"service\":\"fiedler\",\"tool\":\"fiedler_list_tasks\",\"input\":{}}";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(page + "/console/call"))
            .headers("Origin", page, "Content-Type", "application/json")
            .header("Authorization", "Bearer " + token)
            .POST(BodyPublishers.ofString(call))
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }

  private static String stats(Commands commands) throws Exception {
    return commands.run("docker-compose", "exec", "-T", "rogers", "joshua", "stats");
  }

  private static boolean areHealthy(Commands commands) throws Exception {
    List<String> ids = commands.run("docker-compose", "ps", "-q").lines().toList();
    int healthy = 0;
    for (String id : ids) {
      String state =
          commands.run("docker", "inspect", "-f", "{{.State.Health.Status}}", id).strip();
      healthy += state.equals("healthy") ? 1 : 0;
    }
    return healthy == 1 + Services.ALL.size();
  }
}
