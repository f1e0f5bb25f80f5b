package joshua.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which programs get a permission that makes earlier ones fail to start. */
final class ProgramVersionTest {
  @ParameterizedTest
  @CsvSource({
    "'Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64', false",
    "'Redis server v=6.2.14 sha=0', false",
    "'Redis server v=7.2.0 sha=0', true",
    "'Redis server v=8.0.1 sha=0', true",
    "'Valkey server v=7.2.8 sha=0', true",
    "'Valkey server v=8.0.1 sha=00000000:0', true"
  })
  void setInfoIsKnownFromSevenTwoOn(String printed, boolean known) {
    assertThat(ProgramVersion.parse(printed).orElseThrow().knowsSetInfo()).isEqualTo(known);
  }

  @Test
  void aProgramThatSaysNoVersionHasNone() throws Exception {
    assertThat(ProgramVersion.parse("usage: server [file]")).isEmpty();
    assertThat(ProgramVersion.of(Path.of("/bin/true"))).isEmpty();
    assertThat(ProgramVersion.of(Path.of("/no/such/program"))).isEmpty();
  }
}
