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

  private final Bench bench = new Bench();

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

  private static int size(Context context) {
    return Tokens.count(context.system())
        + context.messages().stream().mapToInt(ModelMessage::tokens).sum();
  }

  @Test
  void theImperatorSeesWhoAsksWhenAndTheState() throws Exception {
    bench.state.add(new Look("tasks", Bench.json("{\"limit\":3}")));
    Context context = bench.cet(Bench.LIMITS).assemble(Bench.PROMPT);
    assertThat(context.system())
        .startsWith("You are the Imperator of a test.")
        .contains("2026-11-18T15:30:00Z", "alice", "rows of tasks {\"limit\":3}", "t1");
    assertThat(context.messages()).containsExactly(new ModelMessage.User(Bench.PROMPT.text()));
    assertThat(context.state()).singleElement().isNotNull();
    assertThat(context.remarks()).isEmpty();
  }

  @Test
  void theConversationSoFarComesBeforeThePrompt() throws Exception {
    bench.turns.add(new Turn("Hello", "Good morning"));
    bench.turns.add(new Turn("And now?", "Afternoon"));
    Context context = bench.cet(Bench.LIMITS).assemble(Bench.PROMPT);
    assertThat(context.messages())
        .hasSize(5)
        .startsWith(new ModelMessage.User("Hello"))
        .endsWith(new ModelMessage.User(Bench.PROMPT.text()));
    assertThat(context.remarks()).isEmpty();
  }

  @Test
  void theOldestTurnsAreCutAndItIsSaid() throws Exception {
    for (int i = 0; i < 20; i++) {
      bench.turns.add(new Turn("Question " + i, "word ".repeat(300)));
    }
    Context context = bench.cet(budget(4_000)).assemble(Bench.PROMPT);
    assertThat(size(context)).isLessThan(3_000);
    assertThat(context.messages().size()).isBetween(3, 19);
    assertThat(context.messages().get(context.messages().size() - 3))
        .isEqualTo(new ModelMessage.User("Question 19"));
    int kept = context.messages().size() / 2;
    assertThat(context.remarks())
        .containsExactly(
            "%d earlier turns of this conversation are left out.".formatted(20 - kept));
    assertThat(context.system()).contains(context.remarks().getFirst());
  }

  @Test
  void noMoreTurnsThanTheMostAreRecalled() throws Exception {
    for (int i = 0; i < Cet.MAX_TURNS + 1; i++) {
      bench.turns.add(new Turn("Q", "A"));
    }
    Context context = bench.cet(Bench.LIMITS).assemble(Bench.PROMPT);
    assertThat(context.messages()).hasSize(2 * Cet.MAX_TURNS + 1);
    assertThat(context.remarks())
        .containsExactly("At least 1 earlier turn of this conversation is left out.");
  }

  @Test
  void stateThatIsTooMuchIsCutAndItIsSaid() throws Exception {
    for (int i = 0; i < 500; i++) {
      bench.tasks.addObject().put("task_id", UUID.randomUUID().toString());
    }
    bench.state.add(new Look("tasks", Bench.json("{}")));
    Context context = bench.cet(budget(4_000)).assemble(Bench.PROMPT);
    assertThat(size(context)).isLessThan(4_000);
    assertThat(context.remarks()).singleElement().asString().startsWith("Of the 502 rows of tasks");
    assertThat(context.system()).contains("of 502 rows left out");
  }

  @Test
  void stateThatCannotBeReadIsSaid() throws Exception {
    bench.state.add(new Look("broken", Bench.json("{}")));
    Context context = bench.cet(Bench.LIMITS).assemble(Bench.PROMPT);
    assertThat(context.remarks()).containsExactly("The state of broken couldn't be read.");
  }

  @Test
  void aPromptThatDoesNotFitIsRefused() {
    Prompt prompt = Bench.prompt("word ".repeat(10_000));
    assertThatThrownBy(() -> bench.cet(Bench.LIMITS).assemble(prompt))
        .isInstanceOf(ThoughtFailed.class)
        .hasMessageContaining("at most 8000")
        .hasMessageContaining("JOSHUA_MODEL_CONTEXT_TOKENS");
  }

  @Test
  void stateThatIsNoQueryIsNoticedAtTheStart() {
    bench.state.add(new Look("delete_all", Bench.json("{}")));
    assertThatIllegalArgumentException().isThrownBy(() -> bench.cet(Bench.LIMITS));
  }

  @Test
  void aCharterIsThereAndBounded() {
    assertThat(new Charter("x".repeat(Charter.LONGEST)).text()).hasSize(Charter.LONGEST);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Charter("x".repeat(Charter.LONGEST + 1)))
        .withMessageContaining("65537 characters");
    assertThatIllegalArgumentException().isThrownBy(() -> new Charter(" \n"));
    assertThatIllegalStateException()
        .isThrownBy(() -> Charter.of(String.class))
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
    assertThat(Tokens.count(text)).isBetween(most, 4 + 4 * most);
  }

  @ParameterizedTest
  @EnumSource(StageName.class)
  void stagesHaveTheNamesOfTheContract(StageName stage) {
    assertThat(stage.wireName()).isIn("dtr", "lppm", "imperator");
  }
}
