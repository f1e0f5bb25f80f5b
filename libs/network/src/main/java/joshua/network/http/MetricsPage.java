package joshua.network.http;

import io.javalin.http.Context;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import joshua.network.ReadinessCheck;

/** The page {@code /metrics} of a service, for Prometheus (+JN-05). */
final class MetricsPage {
  private final PrometheusRegistry metrics;
  private boolean withJvm;

  MetricsPage(PrometheusRegistry metrics, List<ReadinessCheck> checks, List<WebSockets> sockets) {
    this.metrics = metrics;
    GaugeWithCallback.builder()
        .name("joshua_ready")
        .help("1 while a part that the service needs is usable.")
        .labelNames("part")
        .callback(gauge ->
            checks.forEach(
                check -> gauge.call(check.problem().get().isEmpty() ? 1 : 0, check.name())))
        .register(metrics);
    GaugeWithCallback.builder()
        .name("joshua_sockets")
        .help("WebSockets that are open.")
        .labelNames("protocol")
        .callback(gauge -> sockets.forEach(each -> gauge.call(each.size(), each.name())))
        .register(metrics);
  }

  void answer(Context context) throws IOException {
    addJvm();
    ExpositionFormatWriter writer = ExpositionFormats.init().findWriter(context.header("Accept"));
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    writer.write(page, metrics.scrape());
    context.contentType(writer.getContentType()).result(page.toByteArray());
  }

  /** Delayed until the first request, since it would slow down the start. */
  private synchronized void addJvm() {
    if (!withJvm) {
      JvmMetrics.builder().register(metrics);
      withJvm = true;
    }
  }
}
