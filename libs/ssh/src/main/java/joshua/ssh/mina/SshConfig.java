package joshua.ssh.mina;

import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import joshua.kernel.KnownSettings;
import joshua.kernel.Setting;
import joshua.kernel.Settings;
import joshua.ssh.AuthorizedKeysLocation;

/**
 * The SSH configuration of one MAD (REQ-JS-05).
 *
 * @param address where it listens
 * @param port 0: any free one
 * @param portSetting the port's environment variable, for messages
 * @param authorizedKeys where the keys are that may log in
 * @param hostKey the file with the MAD's own key; created if it doesn't exist
 */
public record SshConfig(
    InetAddress address,
    int port,
    String portSetting,
    AuthorizedKeysLocation authorizedKeys,
    Path hostKey) {

  /** The name of the host key's file in the data directory of a MAD. */
  public static final String HOST_KEY = "ssh_host_ed25519_key";

  private static final String LOOPBACK = "127.0.0.1";

  /**
   * Reads the settings of the MAD with that port.
   *
   * @param data the MAD's own directory
   * @throws Settings.InvalidSettingsException if there is no such address, or it is reachable by
   *     everyone without that being confirmed
   */
  public static SshConfig from(Settings settings, Setting<Integer> port, Path data)
      throws Settings.InvalidSettingsException {
    return new SshConfig(
        address(
            settings.get(KnownSettings.SSH_BIND),
            settings.get(KnownSettings.SSH_ANY_ADDRESS) == KnownSettings.Switch.ON,
            SshConfig::privateAddresses),
        settings.get(port),
        port.environmentName(),
        AuthorizedKeysLocation.of(settings),
        data.resolve(HOST_KEY));
  }

  static InetAddress address(String bind, boolean any, Supplier<List<InetAddress>> ours)
      throws Settings.InvalidSettingsException {
    String setting = KnownSettings.SSH_BIND.environmentName();
    if (bind.equals(KnownSettings.INTERNAL)) {
      List<InetAddress> found = ours.get();
      if (found.size() != 1) {
        throw new Settings.InvalidSettingsException(
            List.of(
                "%s is internal, and this machine has %s: name the address to listen on"
                    .formatted(
                        setting,
                        found.isEmpty()
                            ? "no private address"
                            : "several private addresses, "
                                + String.join(
                                    ", ",
                                    found.stream().map(InetAddress::getHostAddress).toList()))));
      }
      return found.getFirst();
    }
    InetAddress address =
        InetAddress.ofLiteral(bind.equals(KnownSettings.LOOPBACK) ? LOOPBACK : bind);
    if (address.isAnyLocalAddress() && !any) {
      throw new Settings.InvalidSettingsException(
          List.of(
              "%s is %s, every address of this machine: name the one that admins come by, or set %s=on if everybody is to reach it"
                  .formatted(setting, bind, KnownSettings.SSH_ANY_ADDRESS.environmentName())));
    }
    return address;
  }

  /** This machine's IPv4 addresses in private networks. */
  private static List<InetAddress> privateAddresses() {
    try (Stream<NetworkInterface> interfaces = NetworkInterface.networkInterfaces()) {
      return interfaces
          .flatMap(each -> each.getInterfaceAddresses().stream())
          .map(InterfaceAddress::getAddress)
          .filter(address -> address.isSiteLocalAddress() && address.getAddress().length == 4)
          .distinct()
          .toList();
    } catch (SocketException e) {
      throw new UncheckedIOException(e);
    }
  }
}
