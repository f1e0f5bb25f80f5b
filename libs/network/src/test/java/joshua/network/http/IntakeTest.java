package joshua.network.http;

import static org.assertj.core.api.Assertions.assertThat;

import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

/** A message that comes in parts. */
class IntakeTest {
  private static final long MOST = 64L << 20;
  private final Backlog backlog = new Backlog(MOST);

  @Test
  void partsMakeAMessageAndLeaveNothingBehind() {
    Intake intake = new Intake(100, backlog);
    assertThat(intake.add("he", false)).isEqualTo(new Intake.Received.Unfinished());
    assertThat(intake.held()).isEqualTo(4);
    assertThat(intake.add("llo", true)).isEqualTo(new Intake.Received.Whole("hello"));
    assertThat(intake.held()).isZero();
    assertThat(intake.add("again", true)).isEqualTo(new Intake.Received.Whole("again"));
  }

  @Test
  void theLimitIsOfBytesInUtf8AndOfAWholeMessage() {
    // One byte, two, and three; a pair of surrogates is four.
    assertThat(new Intake(6, backlog).add("aé€", true)).isInstanceOf(Intake.Received.Whole.class);
    assertThat(new Intake(5, backlog).add("aé€", true)).isEqualTo(new Intake.Received.TooLarge());
    assertThat(new Intake(4, backlog).add("😀", true)).isInstanceOf(Intake.Received.Whole.class);
    assertThat(new Intake(3, backlog).add("😀", true)).isEqualTo(new Intake.Received.TooLarge());

    Intake parts = new Intake(5, backlog);
    parts.add("abc", false);
    assertThat(parts.add("def", true)).isEqualTo(new Intake.Received.TooLarge());
    assertThat(parts.held()).isZero();
    assertThat(parts.add("abcde", true)).isEqualTo(new Intake.Received.Whole("abcde"));
  }

  @Test
  void afterItsEndNothingIsHeld() {
    Intake intake = new Intake(100, backlog);
    intake.add("abc", false);
    intake.close();
    intake.add("def", false);
    assertThat(intake.held()).isZero();
  }

  @Test
  @TriesLimit("http.socket-bytes")
  void manyIntakesShareOneBacklog() {
    String part = "x".repeat(1 << 20);
    long fit = MOST / (2L * part.length());
    for (long i = 0; i < fit; i++) {
      new Intake(Long.MAX_VALUE, backlog).add(part, false);
    }
    assertThat(backlog.isTooLong()).isFalse();
    Intake last = new Intake(Long.MAX_VALUE, backlog);
    last.add(part, false);
    assertThat(backlog.isTooLong()).isTrue();
    last.close();
    assertThat(backlog.isTooLong()).isFalse();
    assertThat(last.held()).isZero();
  }
}
