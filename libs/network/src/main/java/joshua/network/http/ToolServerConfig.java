package joshua.network.http;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import joshua.kernel.KnownSettings;
import joshua.kernel.Setting;
import joshua.kernel.Settings;

/**
 * The settings by which one MAD's tools are served (wire contract §5).
 *
 * @param bind the address to listen on, a literal IP address
 * @param port 0: any free one
 * @param portSetting the environment name of the port, for messages: {@code JOSHUA_GRACE_PORT}
 * @param allowedHosts host names, without ports, that requests may be addressed to
 * @param allowedOrigins origins ({@code https://a.example}) or host names that browsers may come
 *     from
 * @param frameLimit bytes of the largest WebSocket message and HTTP body
 * @param rateLimit calls a second of one connection
 * @param tokensFile bearer tokens; may be absent on loopback only
 * @param connections the most TCP connections, at least {@link ToolServer#MIN_CONNECTIONS}
 */
public record ToolServerConfig(
    String bind,
    int port,
    String portSetting,
    List<String> allowedHosts,
    List<String> allowedOrigins,
    long frameLimit,
    int rateLimit,
    Optional<Path> tokensFile,
    int connections) {

  /** With as many connections as a server ever has. */
  public ToolServerConfig(
      String bind,
      int port,
      String portSetting,
      List<String> allowedHosts,
      List<String> allowedOrigins,
      long frameLimit,
      int rateLimit,
      Optional<Path> tokensFile) {
    this(
        bind,
        port,
        portSetting,
        allowedHosts,
        allowedOrigins,
        frameLimit,
        rateLimit,
        tokensFile,
        ToolServer.MAX_CONNECTIONS);
  }

  public ToolServerConfig {
    allowedHosts = List.copyOf(allowedHosts);
    allowedOrigins = List.copyOf(allowedOrigins);
    connections = Math.clamp(connections, ToolServer.MIN_CONNECTIONS, ToolServer.MAX_CONNECTIONS);
    if (tokensFile.isEmpty() && !isLoopback(bind)) {
      throw new IllegalArgumentException(
          "%s is %s, which others can reach: %s must then name a tokens file."
              .formatted(
                  KnownSettings.BIND.environmentName(),
                  bind,
                  KnownSettings.TOKENS_FILE.environmentName()));
    }
  }

  /**
   * Reads what is set, for the MAD with that port.
   *
   * @throws Settings.InvalidSettingsException if the address isn't loopback and there is no tokens
   *     file
   */
  public static ToolServerConfig from(Settings settings, Setting<Integer> port)
      throws Settings.InvalidSettingsException {
    try {
      return new ToolServerConfig(
          settings.get(KnownSettings.BIND),
          settings.get(port),
          port.environmentName(),
          settings.get(KnownSettings.ALLOWED_HOSTS),
          settings.get(KnownSettings.ALLOWED_ORIGINS),
          settings.get(KnownSettings.FRAME_LIMIT),
          settings.get(KnownSettings.RATE_LIMIT),
          settings.find(KnownSettings.TOKENS_FILE));
    } catch (IllegalArgumentException e) {
      throw new Settings.InvalidSettingsException(List.of(String.valueOf(e.getMessage())));
    }
  }

  /** The same, with at most {@code most} connections. */
  public ToolServerConfig withConnections(int most) {
    return new ToolServerConfig(
        bind,
        port,
        portSetting,
        allowedHosts,
        allowedOrigins,
        frameLimit,
        rateLimit,
        tokensFile,
        most);
  }

  private static boolean isLoopback(String bind) {
    if (bind.equals("localhost")) {
      return true;
    }
    try {
      return InetAddress.ofLiteral(bind.replace("[", "").replace("]", "")).isLoopbackAddress();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
