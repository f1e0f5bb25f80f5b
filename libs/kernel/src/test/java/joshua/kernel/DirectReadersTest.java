package joshua.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rules for reading direct messages between others (wire contract §3). */
class DirectReadersTest {
  private static List<String> read(String text) {
    return DirectReaders.SETTING.reader().read(text, Path.of("/"));
  }

  private static String ids(int number) {
    return IntStream.range(0, number).mapToObj(i -> "c" + i).collect(Collectors.joining(","));
  }

  @Test
  void adminsAndThoseNamedMayAndEverybodyWithoutTokens() {
    DirectReaders readers = new DirectReaders(Set.of("rita"));
    assertThat(readers.include(Optional.of("rita"), Role.VIEWER)).isTrue();
    assertThat(readers.include(Optional.of("ada"), Role.ADMIN)).isTrue();
    assertThat(readers.include(Optional.of("olga"), Role.OPERATOR)).isFalse();
    assertThat(readers.include(Optional.empty(), Role.VIEWER)).isTrue();
    assertThat(DirectReaders.ADMINS.include(Optional.of("rita"), Role.OPERATOR)).isFalse();
  }

  @Test
  void aThousandClientIdsAreTheMost() {
    assertThat(read("rita, olga")).containsExactly("rita", "olga");
    assertThat(read(ids(DirectReaders.MOST))).hasSize(DirectReaders.MOST);
    for (String refused : List.of(ids(DirectReaders.MOST + 1), "no name", "-x")) {
      assertThatThrownBy(() -> read(refused)).hasMessageContaining("at most 1000 client ids");
    }
  }
}
