package joshua.app.container;

import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import joshua.app.settings.Launcher;
import joshua.service.ServiceDescriptor;

/**
 * The group that docker-compose runs from the checkout of the launcher, as far as the host can
 * tell.
 *
 * @param ports where the tools of each service are on loopback, by the file {@code .env}
 */
public record ContainerGroup(Map<String, Integer> ports) {
  private static final int CONNECT_MILLIS = 500;

  /** What {@code .env} beside the launcher's {@code docker-compose.yml} says, if there is one. */
  public static Optional<ContainerGroup> configured(List<ServiceDescriptor<?>> services)
      throws IOException {
    Path directory =
        Launcher.path().map(launcher -> launcher.resolveSibling("")).orElse(Path.of(""));
    Path file = directory.resolve(".env");
    if (!Files.exists(file) || !Files.exists(directory.resolve("docker-compose.yml"))) {
      return Optional.empty();
    }
    Properties set = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      set.load(reader);
    }
    Map<String, Integer> ports = new LinkedHashMap<>();
    for (ServiceDescriptor<?> service : services) {
      String name = service.name().toUpperCase(Locale.ROOT) + "_PORT";
      String port = set.getProperty(name, Integer.toString(service.port())).strip();
      if (!port.matches("\\d{1,5}")) {
        throw new IOException("%s in %s must be a port, not %s.".formatted(name, file, port));
      }
      ports.put(service.name(), Integer.valueOf(port));
    }
    return Optional.of(new ContainerGroup(ports));
  }

  /** Whether something listens at the port of a service. */
  public boolean isRunning(String service) {
    Integer port = ports.get(service);
    if (port == null) {
      return false;
    }
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
