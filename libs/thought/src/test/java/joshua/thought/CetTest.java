package joshua.thought;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CetTest {
  private static final Encoding NEWEST =
      Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.O200K_BASE);
  private static final Encoding OLDER =
      Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.CL100K_BASE);

  private final ThoughtFixture fixture = new ThoughtFixture();

  private static ModelLimits budget(int tokens) {
    return new ModelLimits(
        Duration.ofSeconds(1),
        Duration.ofSeconds(60),
        Duration.ofSeconds(60),
        Duration.ofSeconds(60),
        0,
        500,
        tokens);
  }

  private static int size(PromptContext promptContext) {
    return TokenEstimate.count(promptContext.system())
        + promptContext.messages().stream().mapToInt(ModelMessage::tokens).sum();
  }

  @Test
  void theImperatorSeesWhoAsksWhenAndTheState() throws Exception {
    fixture.state.add(new QueryCall("tasks", ThoughtFixture.json("{\"limit\":3}")));
    PromptContext promptContext =
        fixture.cet(ThoughtFixture.LIMITS).assemble(ThoughtFixture.PROMPT);
    assertThat(promptContext.system())
        .startsWith("You are the Imperator of a test.")
        .contains("2026-11-18T15:30:00Z", "alice", "rows of tasks {\"limit\":3}", "t1");
    assertThat(promptContext.messages())
        .containsExactly(new ModelMessage.User(ThoughtFixture.PROMPT.text()));
    assertThat(promptContext.state()).singleElement().isNotNull();
    assertThat(promptContext.remarks()).isEmpty();
  }

  @Test
  void theConversationSoFarComesBeforeThePrompt() throws Exception {
    fixture.turns.add(new ConversationTurn("Hello", "Good morning"));
    fixture.turns.add(new ConversationTurn("And now?", "Afternoon"));
    PromptContext promptContext =
        fixture.cet(ThoughtFixture.LIMITS).assemble(ThoughtFixture.PROMPT);
    assertThat(promptContext.messages())
        .hasSize(5)
        .startsWith(new ModelMessage.User("Hello"))
        .endsWith(new ModelMessage.User(ThoughtFixture.PROMPT.text()));
    assertThat(promptContext.remarks()).isEmpty();
  }

  @Test
  void theOldestTurnsAreCutAndItIsSaid() throws Exception {
    for (int i = 0; i < 20; i++) {
      fixture.turns.add(new ConversationTurn("Question " + i, "word ".repeat(300)));
    }
    PromptContext promptContext = fixture.cet(budget(4_000)).assemble(ThoughtFixture.PROMPT);
    assertThat(size(promptContext)).isLessThan(3_000);
    assertThat(promptContext.messages().size()).isBetween(3, 19);
    assertThat(promptContext.messages().get(promptContext.messages().size() - 3))
        .isEqualTo(new ModelMessage.User("Question 19"));
    int kept = promptContext.messages().size() / 2;
    assertThat(promptContext.remarks())
        .containsExactly(
            "%d earlier turns of this conversation are left out.".formatted(20 - kept));
    assertThat(promptContext.system()).contains(promptContext.remarks().getFirst());
  }

  @Test
  void noMoreTurnsThanTheMostAreRecalled() throws Exception {
    for (int i = 0; i < Cet.MAX_TURNS + 1; i++) {
      fixture.turns.add(new ConversationTurn("Q", "A"));
    }
    PromptContext promptContext =
        fixture.cet(ThoughtFixture.LIMITS).assemble(ThoughtFixture.PROMPT);
    assertThat(promptContext.messages()).hasSize(2 * Cet.MAX_TURNS + 1);
    assertThat(promptContext.remarks())
        .containsExactly("At least 1 earlier turn of this conversation is left out.");
  }

  @Test
  void stateThatIsTooMuchIsCutAndItIsSaid() throws Exception {
    for (int i = 0; i < 500; i++) {
      fixture.tasks.addObject().put("task_id", UUID.randomUUID().toString());
    }
    fixture.state.add(new QueryCall("tasks", ThoughtFixture.json("{}")));
    PromptContext promptContext = fixture.cet(budget(4_000)).assemble(ThoughtFixture.PROMPT);
    assertThat(size(promptContext)).isLessThan(4_000);
    assertThat(promptContext.remarks())
        .singleElement()
        .asString()
        .startsWith("Of the 502 rows of tasks");
    assertThat(promptContext.system()).contains("of 502 rows left out");
  }

  @Test
  void stateThatCannotBeReadIsSaid() throws Exception {
    fixture.state.add(new QueryCall("broken", ThoughtFixture.json("{}")));
    PromptContext promptContext =
        fixture.cet(ThoughtFixture.LIMITS).assemble(ThoughtFixture.PROMPT);
    assertThat(promptContext.remarks()).containsExactly("The state of broken couldn't be read.");
  }

  @Test
  void aPromptThatDoesNotFitIsRefused() {
    UserPrompt userPrompt = ThoughtFixture.prompt("word ".repeat(10_000));
    assertThatThrownBy(() -> fixture.cet(ThoughtFixture.LIMITS).assemble(userPrompt))
        .isInstanceOf(ThoughtFailedException.class)
        .hasMessageContaining("at most 8000")
        .hasMessageContaining("JOSHUA_MODEL_CONTEXT_TOKENS");
  }

  @Test
  void stateThatIsNoQueryIsNoticedAtTheStart() {
    fixture.state.add(new QueryCall("delete_all", ThoughtFixture.json("{}")));
    assertThatIllegalArgumentException().isThrownBy(() -> fixture.cet(ThoughtFixture.LIMITS));
  }

  @Test
  void aCharterIsThereAndBounded() {
    assertThat(new SystemPrompt("x".repeat(SystemPrompt.LONGEST)).text())
        .hasSize(SystemPrompt.LONGEST);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SystemPrompt("x".repeat(SystemPrompt.LONGEST + 1)))
        .withMessageContaining("65537 characters");
    assertThatIllegalArgumentException().isThrownBy(() -> new SystemPrompt(" \n"));
    assertThatIllegalStateException()
        .isThrownBy(() -> SystemPrompt.of(String.class))
        .withMessage("there is no IMPERATOR.md beside java.lang.String");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "The quick brown fox jumps over the lazy dog, and nobody minds that it does.",
        "{\"task_id\":\"0193f0a2-7c1e-7d4b-9a55-3c2e8f6b1d07\",\"status\":\"COMPLETED\",\"attempt\":1}",
        "2026-11-18T15:30:00.123Z 2026-11-18T15:30:00.124Z",
        "def f(x):\n        return x ** 2 + 17  # square\n",
        "Größere Straßen führen über die Brücke",
        "日本語のテキストはどうですか",
        "Привет, как дела?",
        "https://example.org/a/b?c=d&e=f#g",
        "🙂🙃👩‍👩‍👧",
        "AAAAAAAAAAAAAAAAAAAA======%%%%%%%%",
        "internationalization antidisestablishmentarianism",
      })
  void tokensAreCountedCautiouslyAndNotAbsurdly(String text) {
    int most = Math.max(NEWEST.countTokens(text), OLDER.countTokens(text));
    assertThat(TokenEstimate.count(text)).isBetween(most, 4 + 4 * most);
  }

  @ParameterizedTest
  @EnumSource(StageName.class)
  void stagesHaveTheNamesOfTheContract(StageName stage) {
    assertThat(stage.wireName()).isIn("dtr", "lppm", "imperator");
  }
}
