package joshua.app.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisProgramTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=d81b8ff71cfb150e",
        "Redis server v=7.2.4 sha=00000000:0 malloc=libc bits=64 build=0",
        "Valkey server v=8.1.1 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=0",
        "Redis server v=10.0.0 sha=00000000:0"
      })
  void anInstalledProgramAsNewAsTheBundledOneIsUsed(String versionLine) {
    assertThat(RedisProgram.isNewEnough(versionLine)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "Redis server v=6.2.14 sha=00000000:0", "Redis server v=7.0.9", "v=x"})
  void anOlderOneIsNot(String versionLine) {
    assertThat(RedisProgram.isNewEnough(versionLine)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "Linux, amd64, redis-server-7.0.15-linux-amd64",
    "Linux, aarch64, redis-server-7.0.15-linux-arm64",
    "Mac OS X, aarch64, redis-server-7.0.15-darwin-arm64"
  })
  void aProgramIsBundledForEachSystemWeRunOn(String os, String machine, String name)
      throws Exception {
    assertThat(RedisProgram.bundledName(os, machine)).isEqualTo(name);
    assertThat(getClass().getResource("/" + name)).isNotNull();
  }

  @Test
  void anotherSystemIsToldWhatToInstall() {
    assertThatThrownBy(() -> RedisProgram.bundledName("Windows 11", "amd64"))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "There is no bundled Redis for Windows 11 on amd64. Install redis-server or"
                + " valkey-server of version 7.0.15 or newer.");
  }
}
