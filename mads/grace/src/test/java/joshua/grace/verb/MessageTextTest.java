package joshua.grace.verb;

import static org.assertj.core.api.Assertions.assertThat;

import joshua.conversation.envelope.PayloadText;
import joshua.kernel.Json;
import org.junit.jupiter.api.Test;

class MessageTextTest {
  @Test
  void aTextIsShownAndWhatHasMoreIsShownWhole() throws Exception {
    assertThat(PayloadText.of(MessageText.payload("two words"))).isEqualTo("two words");
    for (String whole : new String[] {"{\"n\":1}", "{\"text\":1}", "{\"text\":\"a\",\"n\":1}"}) {
      assertThat(PayloadText.of(MessageText.payload(whole))).isEqualTo(whole);
    }
  }

  @Test
  void theEndOfATaskIsItsResultOrWhatIsSaidOfIt() throws Exception {
    String end =
        "{\"notification_type\":\"task_update\",\"message\":\"The task failed: x\",\"result\":%s}";
    assertThat(PayloadText.of(Json.parse(end.formatted("{\"text\":\"two lines\"}"))))
        .isEqualTo("two lines");
    for (String result : new String[] {"null", "{\"too_large\":20000}"}) {
      assertThat(PayloadText.of(Json.parse(end.formatted(result)))).isEqualTo("The task failed: x");
    }
    String other = "{\"notification_type\":\"task_update\"}";
    assertThat(PayloadText.of(Json.parse(other))).isEqualTo(other);
    String post = "{\"text\":\"v2 is in\",\"thread\":{\"title\":\"schema\",\"seq\":7}}";
    assertThat(PayloadText.of(Json.parse(post))).isEqualTo("[schema #7] v2 is in");
  }

  @Test
  void aSenderIsToldThatASleeperIsWoken() {
    var queued = Json.object().put("addressee", "queued");
    assertThat(MessageText.ofAudience(queued))
        .isEqualTo("it has a queue here, and collects it later");
    assertThat(MessageText.ofAudience(queued.put("wakes", true)))
        .isEqualTo("it sleeps, and is woken");
  }

  @Test
  void aGapIsASentence() throws Exception {
    assertThat(
            MessageText.ofGap(
                Json.parse(
                    "{\"missed\":3,\"reason\":\"overflow\",\"since\":\"2026-01-31T14:30:00.000Z\"}")))
        .isEqualTo("Missed here: 3 of the messages since 2026-01-31T14:30:00.000Z (overflow).");
    assertThat(MessageText.ofGap(Json.parse("{\"missed\":null,\"reason\":\"restart\"}")))
        .startsWith("Missed here: some of ");
  }
}
