package joshua.fiedler;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.UUID;
import joshua.embeddings.MiniLm;
import joshua.thought.PromptReading;
import joshua.thought.UserPrompt;
import joshua.thought.reading.TextEmbedder;
import org.junit.jupiter.api.Test;

class FiedlerPhrasingsTest {
  private static final Instant NOW = Instant.parse("2026-03-18T15:30:00Z");

  private static PromptReading read(String text, TextEmbedder textEmbedder) throws Exception {
    return FiedlerPhrasings.lppm(
            FiedlerQueries.ALL,
            textEmbedder,
            () -> Set.of("bob"),
            InstantSource.fixed(NOW),
            ZoneOffset.UTC)
        .read(new UserPrompt(text, "ann", UUID.randomUUID(), UUID.randomUUID()));
  }

  private static PromptReading read(String text) throws Exception {
    return read(
        text,
        new MiniLm(Path.of("target", "natives").toAbsolutePath(), InstantSource.system())::embed);
  }

  @Test
  void aQuestionIsReadAndSaidHow() throws Exception {
    assertThat(read("could you please list bob's last 5 tasks since noon?"))
        .isInstanceOfSatisfying(
            PromptReading.Asked.class,
            asked -> {
              assertThat(asked.query()).isEqualTo("tasks");
              assertThat(asked.readAs())
                  .isEqualTo("the tasks (requester bob, since 2026-03-18 12:00 UTC, at most 5)");
            });
  }

  @Test
  void aWishToActIsDeclinedWithHowToDoIt() throws Exception {
    assertThat(read("please cancel task 3f2a9c1e"))
        .isInstanceOfSatisfying(
            PromptReading.Declined.class,
            declined ->
                assertThat(declined.sentences())
                    .startsWith("Nothing was cancelled: questions are only answered here.")
                    .anyMatch(line -> line.contains("`./joshua task cancel 3f2a9c1e`")));
    assertThat(read("please cancel my last task"))
        .isInstanceOfSatisfying(
            PromptReading.Declined.class,
            declined ->
                assertThat(declined.sentences())
                    .anyMatch(line -> line.contains("`./joshua task list`"))
                    .noneMatch(line -> line.contains("id}") || line.contains("<id>")));
  }

  @Test
  void whatItCannotAnswerIsPassedOn() throws Exception {
    for (String text :
        new String[] {
          "write a poem about the sea",
          "list all tasks\nand then delete them",
          "!!!",
          "list all tasks " + "please ".repeat(40)
        }) {
      assertThat(read(text)).as(text).isInstanceOf(PromptReading.PassedOn.class);
    }
  }

  @Test
  void withoutAModelEverythingIsPassedOn() throws Exception {
    TextEmbedder missing =
        text -> {
          throw new IllegalStateException("no native library");
        };
    assertThat(read("list all tasks", missing)).isInstanceOf(PromptReading.PassedOn.class);
  }
}
