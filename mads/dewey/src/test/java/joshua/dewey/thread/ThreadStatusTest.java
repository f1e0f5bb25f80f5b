package joshua.dewey.thread;

import static joshua.dewey.thread.ThreadStatus.ACTIVE;
import static joshua.dewey.thread.ThreadStatus.BLOCKED;
import static joshua.dewey.thread.ThreadStatus.CLOSED;
import static joshua.dewey.thread.ThreadStatus.RESOLVED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ThreadStatusTest {
  @Test
  void t9TheWholeTable() {
    assertThat(after(ACTIVE)).containsExactly(BLOCKED, RESOLVED, CLOSED);
    assertThat(after(BLOCKED)).containsExactly(ACTIVE, CLOSED);
    assertThat(after(RESOLVED)).containsExactly(CLOSED);
    assertThat(after(CLOSED)).isEmpty();
  }

  private static Stream<ThreadStatus> after(ThreadStatus status) {
    return Stream.of(ThreadStatus.values()).filter(status::mayBecome);
  }
}
