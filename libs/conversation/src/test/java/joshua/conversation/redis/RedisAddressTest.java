package joshua.conversation.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCredentials;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisAddressTest {
  private static RedisAddress address(String url, Optional<String> password) throws Exception {
    return RedisAddress.of(url, password, Optional.empty(), Duration.ofSeconds(3));
  }

  private static String login(RedisAddress address) {
    RedisCredentials credentials =
        address.uri().getCredentialsProvider().resolveCredentials().block();
    return credentials.getUsername() + " " + new String(credentials.getPassword());
  }

  @ParameterizedTest
  @CsvSource({
    "redis://host, default from-file",
    "redis://host:1234, default from-file",
    "redis://alice@host, alice from-file",
    "redis://alice:in-url@host, alice from-file",
    "redis://:in-url@host, default from-file",
    "rediss://al%40ice:in-url@host:1, al@ice from-file"
  })
  void aPasswordFromElsewhereGoesBeforeOneInTheUrl(String url, String login) throws Exception {
    assertThat(login(address(url, Optional.of("from-file")))).isEqualTo(login);
  }

  @ParameterizedTest
  @CsvSource({
    "redis://alice:in-url@host, alice in-url",
    "redis://:in-url@host, null in-url",
    "redis://in-url@host, null in-url",
  })
  void otherwiseTheUrlHasIt(String url, String login) throws Exception {
    assertThat(login(address(url, Optional.empty()))).isEqualTo(login);
  }

  @ParameterizedTest
  @CsvSource({
    "redis://:p@127.0.0.1:1, 127.0.0.1:1",
    "redis://:p@redis_1.my-net:2, redis_1.my-net:2",
    "redis://:p@redis_1, redis_1:6379",
    "redis://:p@[::1]:3, [::1]:3",
    "redis://:p@[fe80::1]:4, [fe80::1]:4",
  })
  void namesAndAddressesAreHosts(String url, String described) throws Exception {
    assertThat(address(url, Optional.empty()).describe()).isEqualTo(described);
  }

  @Test
  void itsDescriptionHasNoPassword() throws Exception {
    assertThat(address("redis://a:secret@host", Optional.empty()).describe())
        .isEqualTo("host:6379");
    assertThat(address("redis-sentinel://:secret@h1:1,h2:2#m", Optional.empty()).describe())
        .isEqualTo("master m of Sentinels [h1:1, h2:2]");
    assertThat(address("redis://a:secret@host", Optional.of("other")).toString())
        .doesNotContain("secret")
        .doesNotContain("other");
  }
}
