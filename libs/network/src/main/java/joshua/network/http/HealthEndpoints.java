package joshua.network.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import joshua.kernel.Json;
import joshua.network.ReadinessCheck;

/** The monitoring pages of a MAD: {@code /healthz}, {@code /readyz}, {@code /metrics} (+JN-05). */
final class HealthEndpoints {
  private final String mad;
  private final String version;
  private final List<ReadinessCheck> checks;
  private final CoalescedScrape scrape;

  /**
   * Creates the pages.
   *
   * @param mad its name, so that an admin who finds the port taken learns by which MAD
   * @param version of the build that runs
   */
  HealthEndpoints(
      String mad, String version, List<ReadinessCheck> checks, PrometheusMeterRegistry meters) {
    this.mad = mad;
    this.version = version;
    this.checks = List.copyOf(checks);
    this.scrape = new CoalescedScrape(() -> meters.scrape().getBytes(UTF_8));
  }

  void mount(RoutesConfig routes) {
    mount(routes, "/healthz", this::alive);
    mount(routes, "/readyz", this::ready);
    mount(routes, "/metrics", this::metrics);
  }

  /** Serves one more page, which is the same for every caller. */
  static void mount(RoutesConfig routes, PublicPage page) {
    byte[] body = page.text().getBytes(UTF_8);
    mount(
        routes,
        page.path(),
        context -> context.status(200).contentType(page.contentType()).result(body));
  }

  /** HEAD is answered as GET is; Jetty leaves the body out. */
  private static void mount(RoutesConfig routes, String path, Handler page) {
    routes.get(path, page);
    routes.head(path, page);
  }

  private void alive(Context context) {
    json(
        context, 200, Json.object().put("status", "alive").put("mad", mad).put("version", version));
  }

  private void metrics(Context context) throws IOException, InterruptedException {
    byte[] page = scrape.page();
    HttpServletResponse response = context.res();
    response.setContentType("text/plain; version=0.0.4");
    response.setContentLength(page.length);
    response.getOutputStream().write(page);
  }

  private void ready(Context context) {
    ArrayNode problems = Json.object().putArray("problems");
    for (ReadinessCheck check : checks) {
      check
          .problem()
          .ifPresent(
              sentence -> problems.addObject().put("name", check.name()).put("problem", sentence));
    }
    ObjectNode page = Json.object().put("status", problems.isEmpty() ? "ready" : "not ready");
    page.set("problems", problems);
    json(context, problems.isEmpty() ? 200 : 503, page);
  }

  private static void json(Context context, int status, ObjectNode body) {
    context.status(status).contentType("application/json").result(Json.bytes(body));
  }
}
