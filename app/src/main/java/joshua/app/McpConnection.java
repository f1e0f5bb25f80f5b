package joshua.app;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import joshua.kernel.GraceSettings;
import joshua.kernel.KnownSettings;
import joshua.kernel.Setting;
import joshua.kernel.Settings;
import joshua.network.bridge.EndpointResolver;
import joshua.ssh.CommandLineParser;

/**
 * The data that an MCP client needs to reach a group.
 *
 * @param launcher the absolute path of {@code joshua}
 * @param arguments that make the launcher a stdio bridge
 * @param endpoints where each MAD listens, as far as that is known
 * @param tokens whether calls need a bearer token
 */
record McpConnection(
    String launcher, List<String> arguments, List<Endpoint> endpoints, boolean tokens) {
  /** Stands for the file with the client's token if that is unknown. */
  static final String TOKEN_FILE = "TOKEN-FILE";

  /** The settings that are relevant to a bridge. */
  private static final List<Setting<?>> OF_A_BRIDGE =
      List.of(
          KnownSettings.SETTINGS_FILE,
          KnownSettings.DATA_DIR,
          KnownSettings.BIND,
          KnownSettings.GRACE_PORT,
          GraceSettings.URLS,
          KnownSettings.FIEDLER_PORT,
          KnownSettings.ROGERS_PORT,
          KnownSettings.TOKEN_FILE);

  McpConnection {
    arguments = List.copyOf(arguments);
    endpoints = List.copyOf(endpoints);
  }

  /** The address of one MAD. */
  record Endpoint(String mad, String authority) {
    /** The name under which a client knows this MAD on its own. */
    String server() {
      return "joshua-" + mad;
    }

    String http() {
      return "http://" + authority + "/mcp";
    }

    String ws() {
      return "ws://" + authority + "/mcp";
    }
  }

  private static String text(Object value) {
    return value instanceof List<?> list
        ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
        : String.valueOf(value);
  }

  /** The connection to the group of these settings, whether it runs or not. */
  static McpConnection to(Settings settings, ProcessEnvironment around) {
    boolean tokens =
        RunningSettings.ask(settings, around)
            .map(RunningSettings::settings)
            .orElse(settings)
            .find(KnownSettings.TOKENS_FILE)
            .isPresent();
    List<String> arguments = new ArrayList<>(List.of("mcp"));
    for (Setting<?> setting : OF_A_BRIDGE) {
      Settings.Source source = settings.source(setting);
      if (source == Settings.Source.ENVIRONMENT || source == Settings.Source.FLAG) {
        arguments.add(setting.flag());
        arguments.add(text(settings.get(setting)));
      }
    }
    if (tokens && settings.find(KnownSettings.TOKEN_FILE).isEmpty()) {
      arguments.add(KnownSettings.TOKEN_FILE.flag());
      arguments.add(TOKEN_FILE);
    }
    return new McpConnection(
        around.home().resolve("joshua").toString(), arguments, endpoints(settings), tokens);
  }

  /** The connection as the documentation shows it, with default ports. */
  static McpConnection example() {
    List<Endpoint> endpoints =
        KnownMad.all().stream()
            .map(mad -> new Endpoint(mad.name(), "127.0.0.1:" + mad.port().defaultText()))
            .toList();
    return new McpConnection("/path/to/joshua", List.of("mcp"), endpoints, false);
  }

  private static List<Endpoint> endpoints(Settings settings) {
    List<Endpoint> endpoints = new ArrayList<>();
    for (KnownMad mad : KnownMad.all()) {
      MadAddress address = new MadAddress(settings, mad, "");
      try {
        int port = address.port();
        if (port != 0) {
          endpoints.add(new Endpoint(mad.name(), address.host() + ":" + port));
        }
      } catch (EndpointResolver.EndpointUnavailableException e) {
        // Its address is unknown, so only the bridge is shown, which will find it.
      }
    }
    return endpoints;
  }

  /** The shell command that starts the bridge. */
  String command() {
    return CommandLineParser.quoted(launcher)
        + arguments.stream()
            .map(a -> " " + CommandLineParser.quoted(a))
            .collect(Collectors.joining());
  }

  /** The file with the client's token. */
  String tokenFile() {
    int flag = arguments.indexOf(KnownSettings.TOKEN_FILE.flag());
    return flag < 0 ? TOKEN_FILE : arguments.get(flag + 1);
  }
}
