package joshua.conversation.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Optional;
import joshua.conversation.BusUnavailableException;
import joshua.testing.FaultProxy;
import joshua.testing.FreePort;
import joshua.testing.NetworkFault;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each reason why a join fails is one clear sentence, at once, without the password. */
class RefusedJoinIT {
  private static final String SECRET = "s3cret-wrong-password";

  private static BusParticipants participants;

  @BeforeAll
  static void start() {
    participants = new BusParticipants();
  }

  @AfterAll
  static void stop() {
    participants.close();
  }

  private static BusUnavailableException refusal(String url, Optional<String> password) {
    long start = System.nanoTime();
    BusUnavailableException refusal =
        catchThrowableOfType(
            BusUnavailableException.class,
            () -> {
              if (password.isPresent()) {
                RedisConversation.join("alice", url, password.get()).close();
              } else {
                RedisAddress.of(url, password, Optional.empty(), Duration.ofSeconds(3));
              }
            });
    assertThat(refusal).as(url).isNotNull();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
    StringWriter all = new StringWriter();
    refusal.printStackTrace(new PrintWriter(all));
    assertThat(all.toString()).doesNotContain(SECRET);
    return refusal;
  }

  @Test
  void aWrongPassword() {
    assertThat(refusal(participants.redis().url(), Optional.of(SECRET)))
        .hasMessage(
            "Redis at 127.0.0.1:%d refused the user name or password. Check JOSHUA_REDIS_PASSWORD_FILE (or the password in JOSHUA_REDIS_URL)."
                .formatted(participants.redis().port()));
  }

  @Test
  void aWrongUser() {
    String url = participants.redis().url().replace("redis://", "redis://nobody@");
    assertThat(refusal(url, Optional.of(SECRET)))
        .hasMessageContaining("refused the user name or password");
  }

  @Test
  void noPasswordAtAll() {
    assertThat(refusal("redis://127.0.0.1:6379", Optional.empty()))
        .hasMessage(
            "There is no password for Redis at 127.0.0.1:6379. Give it as a file by JOSHUA_REDIS_PASSWORD_FILE, or in JOSHUA_REDIS_URL; Joshua runs with none unauthenticated.");
    assertThat(refusal("redis://user:@127.0.0.1:6379", Optional.empty()))
        .hasMessageContaining("There is no password");
  }

  @Test
  void nobodyListens() {
    int port = FreePort.any();
    assertThat(refusal("redis://127.0.0.1:" + port, Optional.of(SECRET)))
        .hasMessage(
            "Redis at 127.0.0.1:%d can't be reached (connection refused). Is it running, and is JOSHUA_REDIS_URL right?"
                .formatted(port));
  }

  @Test
  void aHostThatIsNotKnown() {
    assertThat(refusal("redis://no-such-host.invalid:6379", Optional.of(SECRET)))
        .hasMessageStartingWith(
            "Redis at no-such-host.invalid:6379 can't be reached (unknown host)");
  }

  @Test
  void somebodyWhoAcceptsAndSaysNothing() {
    try (FaultProxy network = FaultProxy.before(participants.redis().port())) {
      network.inject(new NetworkFault.Stall());
      assertThat(refusal(network.url(), Optional.of(SECRET)))
          .hasMessageContaining("can't be reached (no answer in time)");
    }
  }

  @Test
  void somebodyWhoHangsUp() {
    try (FaultProxy network = FaultProxy.before(participants.redis().port())) {
      network.inject(new NetworkFault.Cut());
      assertThat(refusal(network.url(), Optional.of(SECRET)))
          .hasMessageContaining("can't be reached (");
    }
  }

  @Test
  void tlsToOneThatSpeaksNone() {
    String url = participants.redis().url().replace("redis://", "rediss://");
    assertThat(refusal(url, Optional.of(SECRET))).hasMessageContaining("can't be reached (");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "127.0.0.1:6379",
        "http://127.0.0.1:6379",
        "redis:/x",
        "redis-socket:///tmp/redis.sock",
        "REDIS://127.0.0.1"
      })
  void aUrlOfAnotherScheme(String url) {
    assertThat(refusal(url, Optional.of(SECRET)))
        .hasMessage("JOSHUA_REDIS_URL must begin with redis://, rediss:// or redis-sentinel://.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://",
        "redis://:" + SECRET + "@",
        "redis://:" + SECRET + "@host:port",
        "redis://:" + SECRET + "@host:99999",
        "redis://:" + SECRET + "@host:-1",
        "redis://:" + SECRET + "@ho st:6379",
        "redis://:" + SECRET + "@[::1:6379",
        "redis://:" + SECRET + "@host:6379/not-a-number",
        "redis://:" + SECRET + "%zz@host:6379",
        "redis-sentinel://:" + SECRET + "@",
        "redis-sentinel://:" + SECRET + "@host:26379",
        "rediss://:" + SECRET + "@"
      })
  void aUrlThatIsNone(String url) {
    assertThat(refusal(url, Optional.empty()))
        .hasMessage(
            "JOSHUA_REDIS_URL is not a Redis URL; it looks like redis://[[user]:password@]host:port, or redis-sentinel://[[user]:password@]host:port,host:port#master.");
  }

  @Test
  void aNameThatIsNoIdentifierIsTheCallersMistake() {
    assertThatThrownBy(() -> RedisConversation.join("no good", participants.redis().url(), SECRET))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("a participant's name must be 1-128 characters");
  }
}
