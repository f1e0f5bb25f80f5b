package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.Timing;
import joshua.conversation.redis.RedisAddress;
import joshua.conversation.redis.RedisConversation;
import joshua.testing.FaultProxy;
import joshua.testing.FaultProxy.Fault;
import joshua.testing.FreePort;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each reason why a join fails is one clear sentence, without the password (REQ-JC-09). */
@ExtendWith(SharedRedis.class)
class RefusedJoinTest {
  private static final String SECRET = "s3cret-wrong-password";
  private static final Timing IMPATIENT =
      TestBus.timing(1_000, 1_000, 1_000, 1_000, 1_000, 10_000, 2_000);

  private static String refusal(String url, String password, Timing timing) {
    Throwable refusal =
        catchThrowable(() ->
            RedisConversation.join("alice", RedisAddress.of(url, Optional.of(password)), timing)
                .close());
    assertThat(refusal).isInstanceOf(BusUnavailableException.class);
    return sentence(refusal);
  }

  private static String sentence(Throwable refusal) {
    StringWriter all = new StringWriter();
    refusal.printStackTrace(new PrintWriter(all));
    assertThat(all.toString()).doesNotContain(SECRET);
    return refusal.getMessage();
  }

  @Test
  void aWrongPassword(RedisServer redis) {
    assertThat(refusal(redis.url(), SECRET, Timing.CONTRACT))
        .isEqualTo(
            "Redis at 127.0.0.1:%d refused the user name or password. Check JOSHUA_REDIS_PASSWORD_FILE (or the password in JOSHUA_REDIS_URL)."
                .formatted(redis.port()));
  }

  @Test
  void aUserWhoMayNotSubscribe(RedisServer redis) {
    try (RawRedis raw = redis.connect()) {
      raw.call("ACL", "SETUSER", "mute", "on", ">" + SECRET, "+@connection", "+publish", "&*");
    }
    String url = redis.url().replace("redis://", "redis://mute@");
    assertThat(refusal(url, SECRET, Timing.CONTRACT))
        .contains("lets the user in but not do what Joshua needs (NOPERM");
  }

  @Test
  void noPasswordAtAll() {
    for (String url : new String[] {"redis://127.0.0.1:6379", "redis://user:@127.0.0.1:6379"}) {
      Throwable refusal = catchThrowable(() -> RedisAddress.of(url, Optional.empty()));
      assertThat(refusal).isInstanceOf(BusUnavailableException.class);
      assertThat(refusal)
          .hasMessage(
              "There is no password for Redis at 127.0.0.1:6379. Give it as a file by JOSHUA_REDIS_PASSWORD_FILE, or in JOSHUA_REDIS_URL; Joshua uses no Redis without one.");
    }
  }

  @Test
  void nobodyListens() {
    int port = FreePort.next();
    assertThat(refusal("redis://127.0.0.1:" + port, SECRET, Timing.CONTRACT))
        .isEqualTo(
            "Redis at 127.0.0.1:%d can't be reached (connection refused). Is it running, and is JOSHUA_REDIS_URL right?"
                .formatted(port));
  }

  @Test
  void aHostThatIsNotKnown() {
    assertThat(refusal("redis://no-such-host.invalid:6379", SECRET, Timing.CONTRACT))
        .startsWith("Redis at no-such-host.invalid:6379 can't be reached (unknown host)");
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"SILENT", "CUT"})
  void somebodyWhoSaysNothingOrHangsUp(Fault fault, RedisServer redis) {
    try (FaultProxy network = FaultProxy.before(redis.port())) {
      network.set(fault);
      assertThat(refusal(network.url(), SECRET, IMPATIENT)).contains("can't be reached (");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "127.0.0.1:6379", "http://127.0.0.1:6379",
        "redis-socket:///tmp/redis.sock", "REDIS://127.0.0.1", "redis://",
        "redis://:SECRET@", "redis://:SECRET@host:port", "redis://:SECRET@host:99999",
        "redis://:SECRET@host:-1", "redis://:SECRET@ho st:6379", "redis://:SECRET@[::1:6379",
        "redis://:SECRET@host:6379/no-number", "redis://:SECRET%zz@host:6379", "rediss://:SECRET@",
        "redis-sentinel://:SECRET@", "redis-sentinel://:SECRET@host:26379"
      })
  void aUrlThatIsNone(String url) {
    Throwable refusal =
        catchThrowable(() -> RedisAddress.of(url.replace("SECRET", SECRET), Optional.empty()));
    assertThat(sentence(refusal)).startsWith("JOSHUA_REDIS_URL is not a Redis URL; it looks like");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://redis:6379", "redis://my_project_redis_1:6379",
        "redis://[::1]:6379", "rediss://grace@redis.example.org:6380/0",
        "redis-sentinel://a:26379,b:26379#master"
      })
  void otherUrlsAreRead(String url) throws Exception {
    String place = RedisAddress.of(url, Optional.of(SECRET)).toString();
    assertThat(place).doesNotContain(SECRET).containsAnyOf("redis", "::1", "master");
  }
}
