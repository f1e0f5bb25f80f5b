package joshua.app;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;
import joshua.network.bridge.EndpointResolver;

/**
 * The address that a MAD listens on: from {@code run.json} of the group on the data directory, or
 * else from its port setting. Looked up again each time, including the token.
 *
 * @param remedy what to do when no group runs, a sentence
 */
record MadAddress(Settings settings, KnownMad mad, String remedy) implements EndpointResolver {

  @Override
  public Place find() throws EndpointUnavailableException {
    int port = port();
    if (port == 0) {
      throw new EndpointUnavailableException(
          "No Joshua runs on the data directory %s, and %s doesn't say where its %s listens. %s"
              .formatted(
                  settings.get(KnownSettings.DATA_DIR),
                  mad.port().environmentName(),
                  mad.name(),
                  remedy));
    }
    return new Place(URI.create("ws://%s:%d/mcp".formatted(host(), port)), token(settings));
  }

  /** The port; 0 if it isn't known. */
  int port() throws EndpointUnavailableException {
    try {
      return RunFile.find(settings.get(KnownSettings.DATA_DIR))
          .map(run -> run.ports().get(mad.name()))
          .orElseGet(() -> settings.get(mad.port()));
    } catch (IOException e) {
      throw new EndpointUnavailableException(
          "The data directory %s can't be read, so Joshua's %s isn't found."
              .formatted(settings.get(KnownSettings.DATA_DIR), mad.name()));
    } catch (ServiceUnavailableException e) {
      throw new EndpointUnavailableException(String.valueOf(e.getMessage()));
    }
  }

  /** The host part of URLs: the address that listeners bind to, or loopback if that is all. */
  String host() {
    InetAddress bind = InetAddress.ofLiteral(settings.get(KnownSettings.BIND));
    boolean six = bind.getAddress().length > 4;
    if (bind.isAnyLocalAddress()) {
      return six ? "[::1]" : "127.0.0.1";
    }
    return six ? "[" + bind.getHostAddress() + "]" : bind.getHostAddress();
  }

  /** The token to call with, if there is one. */
  static Optional<String> token(Settings settings) throws EndpointUnavailableException {
    Optional<Path> file = settings.find(KnownSettings.TOKEN_FILE);
    if (file.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Files.readString(file.get()).strip());
    } catch (IOException e) {
      throw new EndpointUnavailableException(
          "The token file %s can't be read. Set JOSHUA_TOKEN_FILE to one that can."
              .formatted(file.get()));
    }
  }
}
