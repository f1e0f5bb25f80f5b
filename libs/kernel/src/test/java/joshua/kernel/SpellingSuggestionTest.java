package joshua.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingSuggestionTest {
  private static final List<String> NAMES =
      List.of("reviewer", "team-lead", "team-lead-2", "ann", "cline", "claude-code");

  @ParameterizedTest
  @CsvSource({
    "team_lead, team-lead", "Team-Lead, team-lead", "lead, team-lead",
    "reviwer, reviewer", "claude, claude-code", "an, ann"
  })
  void aNearNameIsSuggested(String written, String suggested) {
    assertThat(SpellingSuggestion.nearest(written, NAMES)).contains(suggested);
  }

  @Test
  void nothingIsSuggestedWhereNoNameIsNear() {
    assertThat(SpellingSuggestion.nearest("postgres", NAMES)).isEmpty();
    assertThat(SpellingSuggestion.nearest("x", NAMES)).isEmpty();
    assertThat(SpellingSuggestion.nearest("ann", List.of())).isEmpty();
  }
}
