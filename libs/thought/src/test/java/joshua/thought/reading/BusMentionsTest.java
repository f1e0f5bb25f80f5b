package joshua.thought.reading;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import joshua.kernel.Json;
import joshua.thought.QuerySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Questions to a MAD with its own values: {@code phrasings/values.txt} here. */
class BusMentionsTest {
  private static final ZonedDateTime NOW = ZonedDateTime.parse("2026-11-18T15:30:00Z");
  private static final NamedValues VALUES = NamedValues.beside(BusMentionsTest.class);

  private static final Map<String, List<String>> TAKEN =
      Map.of("status", List.of("CONNECTED", "HEALTHY", "STALE"), "kind", List.of("storm", "loop"));

  private static ExtractedEntities in(String question) {
    return EntityExtractor.take(
        TokenizedQuestion.of(question).orElseThrow(), Set.of("ann", "bob", "grace"), VALUES, NOW);
  }

  private static String arguments(String question, Set<String> held, String... names) {
    ObjectNode schema = Json.object().put("type", "object").put("additionalProperties", false);
    ObjectNode properties = schema.putObject("properties");
    for (String name : names) {
      var values = properties.putObject(name).putArray("enum");
      TAKEN.getOrDefault(name, List.of()).forEach(values::add);
    }
    QuerySpec spec = new QuerySpec("q", "Answers.", schema, List.of());
    Optional<ObjectNode> arguments = new ExtractedArguments(spec, held).of(in(question), "ann");
    return arguments.map(Json::write).orElse("none");
  }

  private static String arguments(String question, String... names) {
    return arguments(question, Set.of(), names);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "who is stale? | {\"status\":\"STALE\"}",
        "who has gone stale? | {\"status\":\"STALE\"}",
        "who is connected? | {}",
        "who is in state CONNECTED? | {\"status\":\"CONNECTED\"}",
        "who is not stale? | none",
        "who is stale or healthy? | none",
        "is bob healthy? | {\"participant\":\"bob\"}",
        "what waits? | none",
        "messages on mad.topic.news | none",
        "messages on mad.other.news | none",
        "storms | none",
      })
  void aValueGoesWhereItIsTaken(String question, String expected) {
    assertThat(arguments(question, "status", "participant")).isEqualTo(expected);
  }

  @Test
  void whatIsHeldNeedsNoPlace() {
    assertThat(arguments("who went stale?", "since")).isEqualTo("none");
    assertThat(arguments("who went stale?", Set.of("STALE"), "since")).isEqualTo("{}");
    assertThat(arguments("which version has grace?")).isEqualTo("none");
    assertThat(arguments("which version has grace?", Set.of("grace"))).isEqualTo("{}");
    assertThat(arguments("what does nobody hear?")).isEqualTo("none");
    assertThat(arguments("what does nobody hear?", Set.of("nobody"))).isEqualTo("{}");
  }

  @Test
  void allThatAnArgumentTakesRestrictsNothing() {
    assertThat(arguments("storms", "kind")).isEqualTo("{\"kind\":\"storm\"}");
    assertThat(arguments("storms and loops", "kind")).isEqualTo("{}");
  }

  @Test
  void aMomentGoesWhereOneIsTaken() {
    assertThat(arguments("who was there at 14:05?", "at"))
        .isEqualTo("{\"at\":\"2026-11-18T14:05:00Z\"}");
    assertThat(arguments("what came at 14:05?", "since", "until")).isEqualTo("none");
    assertThat(arguments("who was there since 14:05?", "at")).isEqualTo("none");
  }

  @Test
  void aChannelGoesWhereOneIsTaken() {
    String news = "{\"channel\":\"mad.topic.news\"}";
    assertThat(arguments("who listens to mad.topic.news?", "channel")).isEqualTo(news);
    assertThat(arguments("who listens to mad.topic.news?", "since")).isEqualTo("none");
    assertThat(arguments("is mad.topic.a louder, or mad.topic.b?", "channel")).isEqualTo("none");
    TokenizedQuestion tokenizedQuestion =
        TokenizedQuestion.of("who listens to mad.topic.news?").orElseThrow();
    var _ = EntityExtractor.take(tokenizedQuestion, Set.of(), VALUES, NOW);
    assertThat(tokenizedQuestion.words()).containsExactly("who", "listens", "to", "<channel>");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "was it busier at 9 than at 10? | 09:00 10:00 10:00 11:00",
        "is there more traffic than an hour ago? | - - 14:00 15:00",
        "compare today with yesterday | 00:00 - 17T00:00 00:00",
        "compare this hour with the previous one | 15:00 - - -",
        "is it busier than yesterday? | - - 17T00:00 00:00",
      })
  void twoTimesGoWhereTheyAreCompared(String question, String expected) throws Exception {
    List<String> names = List.of("since", "until", "than_since", "than_until");
    JsonNode compared =
        Json.parse(arguments(question, Set.of("than"), names.toArray(String[]::new)));
    assertThat(names.stream().map(name -> compared.path(name).asText("-")))
        .map(each -> each.replaceAll("2026-11-(18T)?|:00Z", ""))
        .containsExactly(expected.split(" "));
    assertThat(arguments(question, Set.of("than"), "limit")).isEqualTo("none");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "grace, who is stale? | who is stale",
        "hey grace, who is stale? | who is stale",
        "who is stale, grace? | who is stale",
        "is grace stale? | is <who> stale",
      })
  void whoIsSpokenToIsntAskedFor(String question, String words) {
    TokenizedQuestion tokenizedQuestion = TokenizedQuestion.of(question).orElseThrow();
    ExtractedEntities extractedEntities =
        EntityExtractor.take(tokenizedQuestion, Set.of("ann", "bob", "grace"), VALUES, NOW);
    assertThat(tokenizedQuestion.words()).containsSubsequence(words.split(" "));
    assertThat(extractedEntities.names()).hasSize(words.contains("<who>") ? 1 : 0);
  }

  @ParameterizedTest
  @CsvSource({
    "how many messages did I publish?, YES",
    "did I miss anything?, YES",
    "am I connected?, YES",
    "was I online at 14:05?, YES",
    "do you see me?, YES",
    "what is my state?, YES",
    "am I right?, PERHAPS",
    "tell me who is there, NO"
  })
  void theAskerIsOneOfThem(String question, AskerWords expected) {
    assertThat(in(question).asker()).isEqualTo(expected);
  }
}
