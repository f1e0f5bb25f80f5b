package joshua.bench;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DeliveryCheckTest {
  private final DeliveryCheck check = new DeliveryCheck();

  private void accept(String... ids) {
    for (String id : ids) {
      check.accept(id);
    }
  }

  private void receive(String... ids) {
    for (String id : ids) {
      check.receive(id);
    }
  }

  private void fails(String sentence) {
    assertThatThrownBy(check::verify).isInstanceOf(BenchmarkException.class).hasMessage(sentence);
  }

  @Test
  void everythingThatCameOnceIsFineInAnyOrder() {
    receive("c");
    accept("a", "b", "c");
    receive("b", "a");
    assertThatCode(check::verify).doesNotThrowAnyException();
  }

  @Test
  void aMissingMessageIsNoticed() {
    accept("a", "b", "c", "d");
    receive("a", "c");
    fails("of 4 accepted, 2 never came; the first of them is b");
  }

  @Test
  void aMessageThatCameTwiceIsNoticed() {
    accept("a", "b");
    receive("a", "b", "b");
    fails("of 2 accepted, 1 came more than once; the first of them is b");
  }

  @Test
  void aMessageThatNobodySentIsNoticed() {
    accept("a");
    receive("a", "z");
    fails("of 1 accepted, 1 came although never accepted; the first of them is z");
  }

  @Test
  void anIdGivenTwiceIsNoticed() {
    accept("a", "a");
    receive("a");
    fails("of 1 accepted, 1 were accepted twice; the first of them is a");
  }
}
