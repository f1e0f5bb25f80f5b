package joshua.state.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import joshua.kernel.Json;
import joshua.state.Database;
import joshua.state.Migration;
import joshua.state.query.NamedQueries.Result;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamedQueryTest {
  @TempDir Path directory;
  @AutoClose private Database database;
  private NamedQueries queries;

  @BeforeEach
  void open() throws Exception {
    Migration items = new Migration("items", "create table item (id text, count integer);");
    database = Database.open(directory.resolve("items.db"), List.of(items), InstantSource.system());
    queries =
        new NamedQueries(
            List.of(
                NamedQuery.load(NamedQueryTest.class, "items"),
                NamedQuery.load(NamedQueryTest.class, "sums")),
            database,
            InstantSource.fixed(Instant.parse("2026-11-28T03:34:00Z")),
            (query, arguments) ->
                query.name().equals("sums") ? List.of("Mind the gap.") : List.of());
  }

  private void insert(String id, int count) {
    database.write(tx -> tx.update("insert into item values (?, ?)", id, count));
  }

  private Result ask(String query, String arguments, boolean readsAll) throws Exception {
    return queries.ask(query, (ObjectNode) Json.parse(arguments), Optional.empty(), readsAll);
  }

  private QueryAnswer answer(String arguments) throws Exception {
    return ((Result.Answered) ask("items", arguments, false)).answer();
  }

  private String refusal(String arguments) throws Exception {
    return refusal("items", arguments);
  }

  private String refusal(String query, String arguments) throws Exception {
    return ((Result.Refused) ask(query, arguments, false)).refusal().message();
  }

  @Test
  void aFileSaysAllOfIt() throws Exception {
    NamedQuery query = queries.all().getFirst();
    assertThat(query.meaning()).isEqualTo("Items, largest first.");
    QueryAnswer help = ((Result.Answered) ask("help", "{}", false)).answer();
    assertThat(help.rows().getFirst().path("query").asText()).isEqualTo("items");
    assertThat(help.rows().getFirst().path("arguments").path("size").asText())
        .startsWith("SMALL|LARGE: ");
    assertThat(query.phrasings())
        .containsExactly(
            new Phrasing(
                List.of(Set.of("item", "items"), Set.of("many")),
                Set.of("there"),
                Map.of("size", "LARGE")));
  }

  @Test
  void rowsComeWithTheirSentence() throws Exception {
    assertThat(answer("{}").sentence()).isEqualTo("No items.");
    insert("a", 5);
    assertThat(answer("{}").sentence()).isEqualTo("One item, a.");
    assertThat(answer("{}").rows())
        .hasToString("[{\"id\":\"a\",\"count\":5,\"seen_at\":\"1970-01-01T00:00:01.000Z\"}]");
    insert("b", 50);
    QueryAnswer both = answer("{}");
    assertThat(both.sentence()).isEqualTo("2 items, b first.");
    assertThat(both.caveats()).isEmpty();
    insert("c", 500);
    QueryAnswer three = answer("{}");
    assertThat(three.rows()).hasSize(2);
    assertThat(three.sentence()).isEqualTo("3 items, c first.");
    assertThat(three.caveats())
        .containsExactly(
            "These are the first 2 of 3; limit=N (at a terminal -n N) shows more, 200 at most.");
    assertThat(answer("{\"limit\":\"3\"}").caveats()).isEmpty();
  }

  @Test
  void argumentsChooseRows() throws Exception {
    insert("a", 5);
    insert("b", 50);
    assertThat(answer("{\"name\":\"a\"}").rows()).hasSize(1);
    assertThat(answer("{\"size\":\"large\",\"name\":null}").sentence()).isEqualTo("One item, b.");
    assertThat(answer("{\"size\":\"large\"}").arguments()).hasToString("{\"size\":\"LARGE\"}");
    assertThat(answer("{\"least\":51}").rows()).isEmpty();
  }

  /** It is 03:34. */
  @Test
  void whatHasNotComeIsNotAnsweredByNo() throws Exception {
    assertThat(refusal("{\"since\":\"2026-11-28T23:00:00Z\"}"))
        .contains("arguments.since must not be in the future; it is 2026-11-28T03:34:00.000Z now");
    assertThat(refusal("{\"since\":\"2026-11-28T02:00:00Z\",\"until\":\"2026-11-28T01:00:00Z\"}"))
        .contains("arguments.until must be later than since");
    QueryAnswer cut =
        answer("{\"since\":\"2026-11-28T02:00:00Z\",\"until\":\"2026-11-28T04:00:00Z\"}");
    assertThat(cut.arguments().path("until").asText()).isEqualTo("2026-11-28T03:34:00.000Z");
    assertThat(cut.caveats())
        .containsExactly("until is yet to come: this is what there was until now.");
  }

  @Test
  void otherArgumentsAreRefused() throws Exception {
    assertThat(refusal("{\"nam\":\"a\"}")).contains("did you mean name?");
    assertThat(refusal("{\"size\":\"huge\"}")).contains("SMALL|LARGE");
    assertThat(refusal("{\"name\":\"a' or 1=1 --\"}")).contains("arguments.name must be");
    assertThat(refusal("{\"limit\":100000}")).contains("arguments.limit must be");
    assertThat(refusal("drop", "{}")).contains("there are items, sums");
  }

  private QueryAnswer sums(String arguments, boolean readsAll) throws Exception {
    return ((Result.Answered) ask("sums", arguments, readsAll)).answer();
  }

  @Test
  void aSecondStatementMayMakeTheSentenceOfMany() throws Exception {
    insert("a", 5);
    assertThat(sums("{}", true).sentence()).isEqualTo("One item, a.");
    insert("b", 50);
    assertThat(sums("{}", true).sentence()).isEqualTo("2 items, 55 in all.");
    assertThat(sums("{\"channel\":\"mad.topic.x\"}", true).sentence())
        .isEqualTo("2 items, 55 in all for mad.topic.x.");
    assertThat(sums("{}", false).caveats()).containsExactly("Mind the gap.");
    assertThat(refusal("sums", "{\"channel\":\"topic x\"}"))
        .contains("must be of the form channel");
  }

  @Test
  void whatOthersSentDirectlyIsForThoseWhoMayReadAll() throws Exception {
    insert("a", 5);
    assertThat(sums("{}", true).rows().getFirst().path("door").asText()).isEqualTo("open");
    assertThat(sums("{}", false).rows().getFirst().path("door").asText()).isEqualTo("closed");
  }
}
