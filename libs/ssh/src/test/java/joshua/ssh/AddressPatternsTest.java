package joshua.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressPatternsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          192.0.2.7                 | 192.0.2.7       | true
          192.0.2.7                 | 192.0.2.71      | false
          192.0.2.*                 | 192.0.2.71      | true
          192.0.2.?                 | 192.0.2.71      | false
          192.0.2.?                 | 192.0.2.7       | true
          192.0.*.1                 | 192.0.2.71      | false
          192.0.2.0/24              | 192.0.2.255     | true
          192.0.2.0/25              | 192.0.2.128     | false
          0.0.0.0/0                 | 203.0.113.9     | true
          0.0.0.0/0                 | 2001:db8::1     | false
          ::1                       | 0:0:0:0:0:0:0:1 | true
          2001:db8::/33             | 2001:db8:7fff:: | true
          2001:db8::/33             | 2001:db8:8000:: | false
          *                         | 2001:db8::1     | true
          *                         | 203.0.113.9     | true
          192.0.2.0/24,!192.0.2.7   | 192.0.2.7       | false
          !192.0.2.7,192.0.2.*      | 192.0.2.7       | false
          !192.0.2.7,192.0.2.*      | 192.0.2.8       | true
          !192.0.2.7                | 192.0.2.8       | false
          192.0.2.7                 | ::ffff:192.0.2.7 | true
          """)
  void addressesAreMatchedAsOpenSshDoes(String patterns, String address, boolean have)
      throws Exception {
    assertThat(AddressPatterns.read(patterns).have(InetAddress.ofLiteral(address))).isEqualTo(have);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        "office.example.com",
        "*.example.com",
        "2001:db8:*",
        "192.0.2.1/24",
        "192.0.2.0/33",
        "192.0.2.0/",
        "192.0.2.0/-1",
        "::1/129",
        "192.0.2.300",
        "!",
        "192.0.2.1 "
      })
  void whatNamesNoAddressIsRefused(String patterns) {
    assertThatThrownBy(() -> AddressPatterns.read(patterns))
        .isInstanceOf(SshKey.UnfitKeyException.class)
        .hasMessageContaining("from= has \"");
  }

  @Test
  void thereIsAMostPatterns() throws Exception {
    AddressPatterns.read(String.join(",", Collections.nCopies(AddressPatterns.MAX, "::1")));
    assertThatThrownBy(() ->
            AddressPatterns.read(
                String.join(",", Collections.nCopies(AddressPatterns.MAX + 1, "::1"))))
        .hasMessage("from= has at most 64 patterns");
  }
}
