package joshua.ssh.mina;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import joshua.ssh.AuditLog;
import joshua.testing.ManualTime;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

class FailedLoginsTest {
  private static final InetAddress THERE = InetAddress.ofLiteral("192.0.2.1");

  private final ManualTime time = new ManualTime(Instant.parse("2026-03-01T12:00:00Z"));
  private final FailedLogins failed = new FailedLogins(time);

  private long add(InetAddress address) {
    return failed
        .add(
            address,
            new FailedLogins.Failure(
                address.getHostAddress() + ":1", "mad", Optional.empty(), "no such key"))
        .toMillis();
  }

  private List<String> due() {
    return failed.due().stream().map(entry -> entry.from() + " " + entry.detail()).toList();
  }

  @Test
  void eachNoOfAnAddressTakesTwiceAsLongUpToAMost() {
    assertThat(Stream.generate(() -> add(THERE)).limit(7))
        .containsExactly(250L, 500L, 1_000L, 2_000L, 4_000L, 4_000L, 4_000L);
    assertThat(add(InetAddress.ofLiteral("192.0.2.2"))).isEqualTo(250);
  }

  @Test
  void failuresAreForgottenWithTime() {
    add(THERE);
    add(THERE);
    time.advance(Duration.ofSeconds(20));
    assertThat(add(THERE)).isEqualTo(250);
    for (int i = 0; i < 100; i++) {
      add(THERE);
    }
    time.advance(Duration.ofSeconds(160));
    assertThat(add(THERE)).isEqualTo(250);
  }

  @Test
  void anIpv6NetworkIsOneAddress() {
    assertThat(add(InetAddress.ofLiteral("2001:db8::1"))).isEqualTo(250);
    assertThat(add(InetAddress.ofLiteral("2001:db8::ffff:2"))).isEqualTo(500);
    assertThat(add(InetAddress.ofLiteral("2001:db8:0:1::1"))).isEqualTo(250);
  }

  @Test
  void thoseOfAnAddressArePutIntoOneRecordOfTenSeconds() {
    add(THERE);
    assertThat(due()).containsExactly("192.0.2.1:1 no such key");
    add(THERE);
    add(THERE);
    assertThat(due()).isEmpty();
    time.advance(FailedLogins.RECORDED_EVERY);
    assertThat(due()).containsExactly("192.0.2.1:1 2 times, the last: no such key");
    time.advance(FailedLogins.RECORDED_EVERY);
    assertThat(due()).isEmpty();
    add(THERE);
    assertThat(failed.rest()).extracting(AuditLog.Entry::detail).containsExactly("no such key");
    assertThat(failed.total()).isEqualTo(4);
  }

  @Test
  @TriesLimit("ssh.addresses")
  void thereIsAMostAddressesAndNoneIsLostToTheAudit() {
    for (int i = 0; i < FailedLogins.ADDRESSES + 3; i++) {
      add(InetAddress.ofLiteral("10.0.%d.%d".formatted(i / 256, i % 256)));
    }
    List<String> due = due();
    assertThat(due).hasSize(FailedLogins.ADDRESSES + 1);
    assertThat(due.getLast()).isEqualTo("many addresses 3 times, the last: no such key");
  }
}
