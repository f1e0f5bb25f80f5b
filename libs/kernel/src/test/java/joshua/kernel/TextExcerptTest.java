package joshua.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextExcerptTest {
  @Test
  void whatIsTooLongIsCutAndSaysSo() {
    assertThat(TextExcerpt.of("abc", 3)).isEqualTo("abc");
    assertThat(TextExcerpt.of("abcd", 3)).isEqualTo("abc…");
    assertThat(TextExcerpt.beginning("abcd", 0)).isEmpty();
  }

  @Test
  void noPairOfSurrogatesIsParted() {
    assertThat(TextExcerpt.of("ab🙂d", 3)).isEqualTo("ab…");
    assertThat(TextExcerpt.of("ab🙂d", 4)).isEqualTo("ab🙂…");
    assertThat(TextExcerpt.of("ab🙂", 4)).isEqualTo("ab🙂");
    assertThat(TextExcerpt.beginning("🙂", 1)).isEmpty();
  }
}
