package joshua.network.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import joshua.kernel.Json;
import joshua.network.ReadinessCheck;

/** The pages that watch a MAD: {@code /healthz}, {@code /readyz}, {@code /metrics} (+JN-05). */
final class Probes {
  private final String mad;
  private final String version;
  private final List<ReadinessCheck> checks;
  private final PrometheusMeterRegistry meters;

  /**
   * Makes the pages.
   *
   * @param mad who it is, so that somebody who finds the port taken learns by whom
   * @param version of the build that runs
   */
  Probes(String mad, String version, List<ReadinessCheck> checks, PrometheusMeterRegistry meters) {
    this.mad = mad;
    this.version = version;
    this.checks = List.copyOf(checks);
    this.meters = meters;
  }

  void mount(RoutesConfig routes) {
    routes.get(
        "/healthz",
        context ->
            json(
                context,
                200,
                Json.object().put("status", "alive").put("mad", mad).put("version", version)));
    routes.get("/readyz", this::ready);
    routes.get(
        "/metrics",
        context -> context.contentType("text/plain; version=0.0.4").result(meters.scrape()));
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
