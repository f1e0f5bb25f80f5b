package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.testing.FreePort;
import joshua.testing.InstalledProgram;
import joshua.testing.TestRequirements;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests the profile {@code monitoring} as it is in {@code configs}: a real Prometheus scrapes a
 * group that requires tokens, evaluates the alerts, and answers the queries of each panel of
 * Grafana's dashboard. A metric name that doesn't exist would never alert, and draw nothing.
 */
final class MonitoringIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Path CONFIGS = Path.of("..", "configs");
  private static final Pattern TARGET = Pattern.compile("(grace|fiedler|rogers):800[012]");
  private static final Pattern NAME = Pattern.compile("\\b(?:joshua|jvm|process)_[a-z_]+\\b");

  private static final TestEnvironment STAGE = new TestEnvironment();
  private static InitializedInstallation installation;
  private static GroupUnderTest groupUnderTest;
  private static Path directory;
  private static int port;

  @BeforeAll
  static void start() throws IOException {
    Path program = TestRequirements.program("prometheus", "apt-get install prometheus");
    installation = InitializedInstallation.on(STAGE);
    groupUnderTest = STAGE.up("JOSHUA_TOKENS_FILE=" + installation.secret("clients/tokens"));
    directory = Files.createDirectories(STAGE.path().resolve("prometheus"));
    Files.copy(CONFIGS.resolve("prometheus/rules.yml"), directory.resolve("rules.yml"));
    Files.writeString(directory.resolve("prometheus.yml"), settings());
    port = FreePort.any();
    STAGE.add(
        InstalledProgram.start(
                directory,
                program,
                "--config.file=prometheus.yml",
                "--storage.tsdb.path=data",
                "--web.listen-address=127.0.0.1:" + port)
            .awaitSaying("Server is ready to receive web requests"));
  }

  /** The settings of the profile, except for paths here and the scrape interval. */
  private static String settings() throws IOException {
    String settings =
        Files.readString(CONFIGS.resolve("prometheus/prometheus.yml"))
            .replace("15s", "1s")
            .replace("/run/secrets/metrics.token", installation.secret("metrics.token").toString());
    return TARGET
        .matcher(settings)
        .replaceAll(target -> "127.0.0.1:" + groupUnderTest.port(target.group(1)));
  }

  @AfterAll
  static void stop() {
    STAGE.close();
  }

  private static JsonNode asked(String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + port + "/api/v1/" + path);
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return FrameSocketClient.parse(answer.body()).path("data");
  }

  private static JsonNode queried(String expression) throws Exception {
    return asked("query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8))
        .path("result");
  }

  @Test
  void itScrapesEveryMadByTheTokenOfInit() {
    await()
        .atMost(SOON)
        .untilAsserted(() ->
            assertThat(asked("targets").path("activeTargets").valueStream())
                .hasSize(3)
                .allSatisfy(target ->
                    assertThat(target.path("health").asText())
                        .as(target.toString())
                        .isEqualTo("up")));
  }

  @Test
  void itCanEvaluateEveryAlert() {
    await()
        .atMost(SOON)
        .untilAsserted(() ->
            assertThat(asked("rules").at("/groups/0/rules").valueStream())
                .hasSizeGreaterThan(5)
                .allSatisfy(rule ->
                    assertThat(rule.path("health").asText()).as(rule.toString()).isEqualTo("ok")));
  }

  @Test
  void everyAlertAsksForWhatThereIs() throws IOException {
    Set<String> asked = names(NAME, Files.readString(CONFIGS.resolve("prometheus/rules.yml")), 0);
    assertThat(asked).hasSizeGreaterThan(5);
    await()
        .atMost(SOON)
        .untilAsserted(() ->
            assertThat(asked("label/__name__/values").valueStream().map(JsonNode::asText))
                .containsAll(asked));
  }

  private static Set<String> names(Pattern pattern, String text, int part) {
    Set<String> names = new TreeSet<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      names.add(matcher.group(part));
    }
    return names;
  }

  @Test
  void everyAlertFiresWhenItMustAndOnlyThen() throws Exception {
    Path promtool = TestRequirements.program("promtool", "apt-get install prometheus");
    Path played = directory.resolve("alerts.yml");
    Files.copy(Path.of("src/test/resources/prometheus/alerts.yml"), played);

    ProgramRun programRun =
        STAGE.program(List.of(promtool.toString(), "test", "rules", played.toString()));

    assertThat(programRun.exitStatus()).as(programRun.toString()).isZero();
    String rules = Files.readString(CONFIGS.resolve("prometheus/rules.yml"));
    assertThat(Files.readString(played))
        .contains(names(Pattern.compile("alert: (\\w+)"), rules, 1));
  }

  @Test
  void everyPanelHasSomethingToDraw() throws Exception {
    JsonNode dashboard =
        FrameSocketClient.parse(
            Files.readString(CONFIGS.resolve("grafana/dashboards/joshua.json")));
    List<String> expressions =
        dashboard.path("panels").findValues("expr").stream().map(JsonNode::asText).toList();
    assertThat(expressions).hasSizeGreaterThan(20);
    for (String expression : expressions) {
      await(expression).atMost(SOON).until(() -> !queried(expression).isEmpty());
    }
  }
}
