package joshua.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExcerptTest {
  @Test
  void whatIsTooLongIsCutAndSaysSo() {
    assertThat(Excerpt.of("abc", 3)).isEqualTo("abc");
    assertThat(Excerpt.of("abcd", 3)).isEqualTo("abc…");
    assertThat(Excerpt.beginning("abcd", 0)).isEmpty();
  }

  @Test
  void noPairOfSurrogatesIsParted() {
    assertThat(Excerpt.of("ab🙂d", 3)).isEqualTo("ab…");
    assertThat(Excerpt.of("ab🙂d", 4)).isEqualTo("ab🙂…");
    assertThat(Excerpt.of("ab🙂", 4)).isEqualTo("ab🙂");
    assertThat(Excerpt.beginning("🙂", 1)).isEmpty();
  }
}
