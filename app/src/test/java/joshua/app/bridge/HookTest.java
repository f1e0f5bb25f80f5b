package joshua.app.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import joshua.kernel.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.TypeConversionException;

/** What clients are told by their hooks, and when. */
class HookTest {
  private static final Hook.Reader READER = new Hook.Reader();

  private static ObjectNode answer(int waiting, boolean due) {
    return Json.object()
        .put("waiting", waiting)
        .put("from", "bob")
        .put("oldest_at", Instant.now().minusSeconds(125).toString())
        .put("due", due);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "claude:UserPromptSubmit | true | {\"hookSpecificOutput\":{\"hookEventName\":\"UserPromptSubmit\",\"additionalContext\":X}}",
        "codex:SessionStart | true | {\"hookSpecificOutput\":{\"hookEventName\":\"SessionStart\",\"additionalContext\":X}}",
        "gemini:AfterAgent | false | {\"decision\":\"deny\",\"reason\":X}",
        "cursor:stop | false | {\"followup_message\":X}"
      })
  void whatWasToldKeepsNoTurnFromItsEnd(String name, boolean always, String form) {
    Hook hook = READER.convert(name);
    assertThat(hook.output("ann", answer(0, false))).isEmpty();
    assertThat(hook.output("ann", answer(3, false)).isPresent()).isEqualTo(always);
    String notice =
        "\"3 messages wait for ann, the oldest from bob, 2 min \\d+ s ago: read them with \\S+\\.\"";
    String output = hook.output("ann", answer(3, true)).orElseThrow().toString();
    assertThat(output.replaceFirst(notice, "X")).isEqualTo(form);
  }

  @Test
  void whatIsNoHookIsRefused() {
    assertThatThrownBy(() -> READER.convert("claude:Sotp"))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining(
            "'claude:Sotp' is no hook; there are claude:UserPromptSubmit, codex:SessionStart");
  }
}
