package joshua.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisBinaryTest {
  @ParameterizedTest
  @CsvSource({
    "Linux, amd64, linux-amd64",
    "Linux, aarch64, linux-arm64",
    "Linux, i386, linux-386",
    "Mac OS X, aarch64, darwin-arm64",
    "Mac OS X, x86_64, darwin-amd64",
  })
  void thereIsABinaryForEachMachine(String os, String arch, String suffix) throws Exception {
    String name = RedisBinary.name(os, arch);
    assertThat(name).isEqualTo("redis-server-7.0.15-" + suffix);
    assertThat(RedisBinary.class.getResource("/" + name)).isNotNull();
  }

  @ParameterizedTest
  @CsvSource({"Windows 11, amd64", "Linux, riscv64", "Mac OS X, i386"})
  void otherMachinesAreToldToBringTheirOwn(String os, String arch) {
    assertThatThrownBy(() -> RedisBinary.name(os, arch))
        .isInstanceOf(CannotStartException.class)
        .hasMessageContaining("JOSHUA_REDIS_URL");
  }

  @Test
  void aHalfWrittenBinaryIsReplaced(@TempDir Path directory) throws Exception {
    Path binary = RedisBinary.unpack(directory);
    long size = Files.size(binary);
    Files.write(binary, new byte[10]);
    assertThat(Files.size(RedisBinary.unpack(directory))).isEqualTo(size);
    assertThat(Files.isExecutable(binary)).isTrue();
  }
}
