package joshua.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import joshua.kernel.Json;
import joshua.kernel.Setting;
import joshua.kernel.Settings;

/**
 * The list of settings in its forms: for a person, a program, the documentation, and
 * docker-compose.
 */
public final class ConfigPages {
  private static final String MARKDOWN_HEAD =
      """
      # Settings

      This page is what `joshua config --markdown` prints. A setting is given, weakest first, by a line `key=value`
      in the settings file, by its environment variable, or by the flag `--key` of any subcommand; `joshua config`
      shows the values in force and where each came from. Unknown names and bad values stop the start, all of them
      reported at once. Relative paths are relative to Joshua's own directory in defaults and in the settings file,
      and to the working directory in the environment and in flags.

      | key | environment | default | unit | |
      |---|---|---|---|---|
      """;

  private static final String DOTENV_HEAD =
      """
      # Every variable that docker-compose takes from .env; what `joshua config --dotenv` prints.
      # ./joshua init writes a .env with what must be set, which are the variables that have no # before them
      # here; a copy of this file needs their values. Only docker-compose reads .env, Joshua doesn't.

      # The user and the group, as numbers, that the containers run as: who owns the secrets' files. Never 0.
      # (numbers, as id -u and id -g print them)
      MAD_UID=
      MAD_GID=

      # The directory of the secrets that ./joshua init makes: the passwords, the tokens, the SSH keys.
      # (path, relative to docker-compose.yml)
      MAD_SECRETS=

      # The address of this machine that the MADs' ports are published on; another than loopback only behind a proxy
      # that has TLS.
      # (IP address)
      #MAD_ADDRESS=127.0.0.1

      # The ports of Grace, Fiedler and Rogers there: /mcp, /ws, /healthz, /readyz, /metrics.
      # (TCP ports, or a range such as 8010-8019 for several)
      #MAD_GRACE_PORT=8000
      #MAD_FIEDLER_PORT=8001
      #MAD_ROGERS_PORT=8002

      # How many Graces and Fiedlers there are; more than one need a range of ports.
      # (containers)
      #MAD_GRACES=1
      #MAD_FIEDLERS=1

      # The ports of Prometheus and Grafana, with --profile monitoring; they are published on 127.0.0.1 alone.
      # (TCP ports)
      #MAD_PROMETHEUS_PORT=9090
      #MAD_GRAFANA_PORT=3000

      # A file with the bearer token that Prometheus reads /metrics with; it belongs to MAD_UID.
      # (path, relative to docker-compose.yml)
      #MAD_METRICS_TOKEN=./configs/secrets/metrics.token

      # Another Redis than the one that comes along, by each MAD's user; the passwords stay those of the secrets.
      # (redis://, rediss:// or redis-sentinel://)
      #MAD_GRACE_REDIS_URL=redis://grace@redis:6379
      #MAD_FIEDLER_REDIS_URL=redis://fiedler@redis:6379
      #MAD_ROGERS_REDIS_URL=redis://rogers@redis:6379

      # The most memory that each container may have.
      # (bytes, with b, k, m or g)
      #MAD_REDIS_MEMORY=1g
      #MAD_GRACE_MEMORY=1408m
      #MAD_FIEDLER_MEMORY=1408m
      #MAD_ROGERS_MEMORY=1408m

      # The most processor time that each container may have.
      # (processors, 0.5 is half of one)
      #MAD_REDIS_CPUS=2
      #MAD_GRACE_CPUS=2
      #MAD_FIEDLER_CPUS=2
      #MAD_ROGERS_CPUS=2

      # What images are built from, and whether they hold the embedding model that reads prose.
      # (source, or built: what ./joshua prepare has built; on, off)
      #MAD_JARS=source
      #MAD_EMBEDDINGS=on

      # Which images those are built on, and which run beside them; configs/images/pin writes what pins them by digest.
      # (image, by tag or digest)
      #MAD_BASE_BUILD=eclipse-temurin:25-jdk
      #MAD_BASE_RUNTIME=debian:bookworm-slim
      #MAD_REDIS_IMAGE=redis:7-alpine
      #MAD_PROMETHEUS_IMAGE=prom/prometheus:v3.5.0
      #MAD_GRAFANA_IMAGE=grafana/grafana:12.1.0

      # What follows are Joshua's own settings, with their defaults. Paths, ports and the address of Redis are set
      # by docker-compose.yml inside the containers, whatever stands here; JOSHUA_ALLOWED_HOSTS adds to the hosts
      # there. A model's key belongs in a file: JOSHUA_MODEL_API_KEY_FILE=/run/secrets/model/FILE is the file of that
      # name in MAD_SECRETS/model, which Fiedler and Rogers see.
      """;

  private ConfigPages() {}

  static String text(Settings settings) {
    StringBuilder page = new StringBuilder();
    for (Setting<?> setting : settings.known()) {
      String value = settings.printable(setting);
      page.append(
          "%s = %s  (%s)%n    %s%n    %s; %s%n"
              .formatted(
                  setting.key(),
                  value,
                  value.isEmpty() ? "not set" : source(settings, setting),
                  setting.sentence(),
                  setting.environmentName(),
                  setting.unit()));
    }
    return page.toString();
  }

  /** Every setting with its value, secrets masked. */
  static ObjectNode json(Settings settings) {
    return json(settings, each -> true);
  }

  /** The chosen settings with their values, secrets masked; for a path also its target. */
  public static ObjectNode json(Settings settings, Predicate<Setting<?>> chosen) {
    ObjectNode page = Json.object();
    ArrayNode list = page.putArray("settings");
    for (Setting<?> setting : settings.known()) {
      if (!chosen.test(setting)) {
        continue;
      }
      String value = settings.printable(setting);
      ObjectNode row = list.addObject();
      row.put("key", setting.key())
          .put("environment", setting.environmentName())
          .put("value", value.isEmpty() ? null : value)
          .put("source", value.isEmpty() ? null : source(settings, setting))
          .put("default", setting.defaultText())
          .put("unit", setting.unit())
          .put("secret", setting.secret())
          .put("sentence", setting.sentence());
      if (settings.find(setting).orElse(null) instanceof Path path) {
        row.put("path", path.toString());
      }
    }
    return page;
  }

  static String markdown(List<Setting<?>> settings) {
    StringBuilder page = new StringBuilder(MARKDOWN_HEAD);
    for (Setting<?> setting : settings) {
      String standard = setting.defaultText();
      page.append(
          "| `%s` | `%s` | %s | %s | %s |\n"
              .formatted(
                  setting.key(),
                  setting.environmentName(),
                  standard == null ? "" : "`" + standard + "`",
                  setting.unit(),
                  setting.sentence()));
    }
    return page.toString();
  }

  static String dotenv(List<Setting<?>> settings) {
    StringBuilder page = new StringBuilder(DOTENV_HEAD);
    for (Setting<?> setting : settings) {
      String standard = setting.defaultText();
      page.append(
          "\n# %s\n# (%s)\n#%s=%s\n"
              .formatted(
                  setting.sentence(),
                  setting.unit(),
                  setting.environmentName(),
                  standard == null ? "" : standard));
    }
    return page.toString();
  }

  private static String source(Settings settings, Setting<?> setting) {
    return settings.source(setting).name().toLowerCase(Locale.ROOT);
  }
}
