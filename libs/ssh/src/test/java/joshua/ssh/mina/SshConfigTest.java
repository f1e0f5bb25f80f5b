package joshua.ssh.mina;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import joshua.kernel.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SshConfigTest {
  private static String address(String bind, boolean any, String... ours) throws Exception {
    List<InetAddress> all = Stream.of(ours).map(InetAddress::ofLiteral).toList();
    return SshConfig.address(bind, any, () -> all).getHostAddress();
  }

  @Test
  void loopbackInternalAndAddressesAreUnderstood() throws Exception {
    assertThat(address("loopback", false)).isEqualTo("127.0.0.1");
    assertThat(address("192.0.2.7", false)).isEqualTo("192.0.2.7");
    assertThat(address("internal", false, "172.18.0.3")).isEqualTo("172.18.0.3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::", "0:0:0:0:0:0:0:0", "::0.0.0.0"})
  void everyAddressMustBeToldTwice(String bind) throws Exception {
    assertThatThrownBy(() -> address(bind, false))
        .isInstanceOf(Settings.InvalidSettingsException.class)
        .hasMessageContaining("every address of this machine")
        .hasMessageContaining("JOSHUA_SSH_ANY_ADDRESS=on");
    assertThat(InetAddress.ofLiteral(address(bind, true)).isAnyLocalAddress()).isTrue();
  }

  @Test
  void internalMeansOneAddress() {
    assertThatThrownBy(() -> address("internal", true))
        .hasMessageContaining("this machine has no private address");
    assertThatThrownBy(() -> address("internal", true, "10.0.0.1", "172.18.0.3"))
        .hasMessageContaining("several private addresses, 10.0.0.1, 172.18.0.3: name the address");
  }
}
