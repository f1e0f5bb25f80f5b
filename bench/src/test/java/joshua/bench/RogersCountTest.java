package joshua.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RogersCountTest {
  @Test
  void oneMessageTooFewIsNamed() {
    assertThat(
            RogersCount.difference(
                Map.of("sender-1 mad.topic", 7L, "sender-2 mad.topic", 7L),
                Map.of("sender-1 mad.topic", 7L, "sender-2 mad.topic", 6L)))
        .isEqualTo("Rogers counted 6 messages of sender-2 mad.topic, and 7 were published");
  }

  @Test
  void aMessageThatWasNeverPublishedIsNamed() {
    assertThat(RogersCount.difference(Map.of(), Map.of("sender-9 mad.direct", 1L)))
        .isEqualTo("Rogers counted 1 messages of sender-9 mad.direct, and 0 were published");
  }
}
