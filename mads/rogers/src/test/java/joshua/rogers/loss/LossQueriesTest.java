package joshua.rogers.loss;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.StreamSupport;
import joshua.rogers.RogersQueryFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that "Did we lose anything between 14:00 and 15:00?" is answered with a number (+RG-17).
 */
final class LossQueriesTest {
  private static final String BETWEEN =
      "{'since':'2026-11-18T14:00:00Z','until':'2026-11-18T15:00:00Z'}";
  private RogersQueryFixture fixture;

  @BeforeEach
  void open() throws Exception {
    fixture = new RogersQueryFixture();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private List<String> losses() throws Exception {
    return StreamSupport.stream(fixture.rows("losses", BETWEEN).spliterator(), false)
        .map(row ->
            "%s|%s|%s|%s"
                .formatted(
                    text(row, "hop"), row.path("lost"), row.path("occasions"), text(row, "reason")))
        .toList();
  }

  private static String text(JsonNode row, String member) {
    return row.path(member).asText();
  }

  private void reconciled(String hour, int compared) throws Exception {
    fixture.row("reconciled", "grace", "i", hour, 1_800, compared, 3, 7_000, 0);
  }

  private void lost(int id, String since, String until, long expected, long actual)
      throws Exception {
    lost(id, since, until, "mad.*", expected, actual);
  }

  private void lost(int id, String since, String until, String subject, long expected, long actual)
      throws Exception {
    fixture.row(
        "losses",
        id,
        until,
        since,
        until,
        "bus>grace",
        "grace",
        "i",
        1,
        subject,
        expected,
        actual,
        "fewer received than were published");
  }

  @Test
  void whereNothingWasComparedNobodyKnows() throws Exception {
    reconciled("13:00:00", 10);
    reconciled("15:00:00", 10);

    assertThat(losses()).containsExactly("all|null|0|nothing was compared");
  }

  @Test
  void whatWasComparedWithoutADifferenceIsNoLoss() throws Exception {
    reconciled("14:00:00", 5_400);

    assertThat(losses())
        .containsExactly("all|0|0|altogether", "bus>grace|0|1800|compared: 7000 messages");
  }

  @Test
  void everythingOfTheSpanIsToldTheGravestFirst() throws Exception {
    reconciled("14:00:00", 5_400);
    lost(1, "13:59:59", "14:00:01", 10, 8);
    lost(2, "14:59:59", "15:00:01", 5, 4);
    lost(3, "15:00:00", "15:00:02", 500, 0);
    lost(4, "14:10:00", "14:10:02", 5, 6);
    fixture.row("losers", 1, "14:30:00", "grace", "ann", 12, "overflow");
    fixture.row("losers", 2, "14:31:00", "grace", "bob", null, "reconnect");
    fixture.row("losers", 3, "15:00:00", "grace", "ann", 100, "overflow");
    fixture.row("not_compared", 1, "14:05:00", "14:05:02", "grace", "i", "why");
    fixture.row("not_seen", 1, "14:40:00", "14:41:00", "the bus was away", null);

    assertThat(losses())
        .containsExactly(
            "all|15|5|altogether",
            "bus>grace|3|3|fewer received than were published",
            "grace>clients|12|1|clients were told: overflow",
            "grace>clients|null|1|clients were told: reconnect",
            "bus>grace|null|1|not compared: why",
            "bus>rogers|null|1|not seen: the bus was away",
            "bus>grace|0|1800|compared: 7000 messages");
  }

  private String said(String arguments) throws Exception {
    return fixture.found("losses", arguments).summary().answer().orElseThrow();
  }

  @Test
  void theAnswerIsOneSentence() throws Exception {
    assertThat(said(BETWEEN)).isEqualTo("Nobody knows: nothing was compared.");
    reconciled("14:00:00", 5_400);
    assertThat(said(BETWEEN)).isEqualTo("No: 7000 messages compared, none lost.");
    fixture.row("not_seen", 1, "14:40:00", "14:41:00", "the bus was away", null);
    assertThat(said(BETWEEN))
        .isEqualTo(
            "No, as far as is known: 7000 messages compared, none lost; not seen: the bus was"
                + " away.");
    String silent = "the relay fell silent; 3 messages waited for its clients at its last ledger";
    fixture.row("not_compared", 1, "14:05:00", "14:05:02", "grace", "i", silent);
    assertThat(said(BETWEEN)).contains("not compared: " + silent).contains("not seen: the bus was");
    lost(1, "14:10:00", "14:10:02", 5, 6);
    assertThat(said(BETWEEN)).startsWith("Perhaps: something was lost or doubled");
    lost(2, "14:20:00", "14:20:02", 6, 5);
    assertThat(said(BETWEEN)).isEqualTo("Yes: 1 message lost; 7000 messages compared.");
  }

  @Test
  void aMessageThatSeveralSubscriptionsMissedIsLostOnce() throws Exception {
    lost(1, "14:10:00", "14:10:02", "mad.topic.a", 5, 0);
    lost(2, "14:10:00", "14:10:02", "mad.topic.*", 5, 0);
    assertThat(said(BETWEEN)).startsWith("Yes: 5 messages lost;");
    lost(3, "14:10:00", "14:10:02", "mad.*", 7, 0);
    assertThat(said(BETWEEN)).startsWith("Yes: 7 messages lost;");
    lost(4, "14:20:00", "14:20:02", "mad.topic.b", 2, 0);
    lost(5, "14:20:00", "14:20:02", "mad.topic.c", 3, 0);
    lost(6, "14:20:00", "14:20:02", "mad.topic.*", 5, 0);
    assertThat(said(BETWEEN)).startsWith("Yes: 12 messages lost;");
  }

  @Test
  void timeBeforeRogersFirstRanIsAGapOnlyWhereItIsAskedFor() throws Exception {
    fixture.row(
        "not_seen", 1, "1970-01-01T00:00:00.000Z", "14:30:00", "rogers was not running", null);
    assertThat(fixture.rows("not_seen", "{}")).isEmpty();
    assertThat(fixture.rows("losses", "{}")).hasSize(1);
    assertThat(fixture.found("losses", "{}").summary().caveats()).isEmpty();
    assertThat(fixture.rows("not_seen", BETWEEN).at("/0/since").asText())
        .startsWith("2026-11-18T14");
    assertThat(fixture.found("losses", BETWEEN).summary().caveats())
        .containsExactly(
            "Rogers wasn't watching until 2026-11-18T14:30:00.000Z (it had never been started"
                + " before).");
  }

  @Test
  void numbersTooLargeForTheirSumAreAddedUpAsFarAsALongGoes() throws Exception {
    fixture.row("losers", 1, "14:30:00", "grace", "ann", Long.MAX_VALUE, "overflow");
    fixture.row("losers", 2, "14:31:00", "grace", "bob", Long.MAX_VALUE, "overflow");
    lost(1, "14:10:00", "14:10:02", Long.MAX_VALUE, -1);
    lost(2, "14:11:00", "14:11:02", Long.MAX_VALUE, 0);

    assertThat(losses())
        .containsExactly(
            "all|9223372036854775807|4|nothing was compared",
            "bus>grace|9223372036854775807|2|fewer received than were published",
            "grace>clients|9223372036854775807|2|clients were told: overflow");
  }
}
