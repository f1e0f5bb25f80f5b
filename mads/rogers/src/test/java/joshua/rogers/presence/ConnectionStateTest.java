package joshua.rogers.presence;

import static joshua.rogers.presence.ConnectionState.CONNECTED;
import static joshua.rogers.presence.ConnectionState.DISCONNECTED;
import static joshua.rogers.presence.ConnectionState.HEALTHY;
import static joshua.rogers.presence.ConnectionState.STALE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import joshua.rogers.presence.ConnectionState.Event;
import joshua.rogers.presence.ConnectionState.Step;
import org.junit.jupiter.api.Test;

class ConnectionStateTest {
  /** Rows: states; columns: SPEAK, LIVE, FALL_SILENT, VANISH, LEAVE; - is no transition. */
  private static final String TABLE =
      """
      CONNECTED    CONNECTED HEALTHY STALE DISCONNECTED DISCONNECTED
      HEALTHY      -         HEALTHY STALE DISCONNECTED DISCONNECTED
      STALE        CONNECTED HEALTHY -     DISCONNECTED DISCONNECTED
      DISCONNECTED CONNECTED HEALTHY -     -            DISCONNECTED
      """;

  @Test
  void eachEventInEachStateLeadsWhereTheTableSays() {
    Map<Step, ConnectionState> expected = new HashMap<>();
    TABLE
        .lines()
        .forEach(line -> {
          String[] cells = line.split(" +", -1);
          for (Event event : Event.values()) {
            String to = cells[event.ordinal() + 1];
            Step step = new Step(ConnectionState.valueOf(cells[0]), event);
            if (to.equals("-")) {
              assertThatThrownBy(() -> step.from().after(event))
                  .isInstanceOf(ConnectionState.IllegalStateChangeException.class);
            } else {
              expected.put(step, ConnectionState.valueOf(to));
              assertThat(step.from().after(event))
                  .as(step.toString())
                  .isEqualTo(expected.get(step));
            }
          }
        });
    assertThat(ConnectionState.steps()).isEqualTo(expected);
  }

  @Test
  void healthyIsBestAndDisconnectedIsWorst() {
    assertThat(ConnectionState.values()).containsExactly(HEALTHY, CONNECTED, STALE, DISCONNECTED);
  }
}
