package joshua.thought.grounding;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import joshua.kernel.Json;
import joshua.thought.Evidence;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a wording may say of rows, and what it may not (+RG-16). */
class EvidenceCheckTest {
  private static final Set<String> KNOWN =
      Set.of("alice", "bob", "carol", "agent-7", "grace", "messages", "ci-bot");

  private static final List<Evidence> EVIDENCE =
      List.of(
          new Evidence(
              "senders",
              object("{'since':'2026-11-18T14:00:00Z','until':'2026-11-18T16:00:00Z','limit':5}"),
              rows(
                  """
                  [{'sender':'alice','messages':1234,'bytes':98765,'last_hour':'2026-11-18T14:00:00.000Z'},
                   {'sender':'agent-7','messages':20,'bytes':3.5,'last_hour':'2026-11-18T15:00:00.000Z'}]\
                  """)),
          new Evidence(
              "connections",
              object("{'participant':'bob'}"),
              rows(
                  """
                  [{'participant':'bob','status':'STALE','why':'stale: silent for 41 s, expected a heartbeat every 10 s',
                    'since':'2026-11-18T15:29:30.123Z','hop':'bus>grace','messages':2}]\
                  """)));

  private final EvidenceCheck check =
      new EvidenceCheck(() -> KNOWN, Set.of("rogers_query", "dead_letters", "help"));

  private static ObjectNode object(String text) {
    return Json.object(text.replace('\'', '"'));
  }

  private static ArrayNode rows(String text) {
    return (ArrayNode) object("{'rows':" + text + "}").path("rows");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "alice sent most: 1234 messages, 98765 bytes.",
        "Alice sent 1,234 messages and agent-7 sent 20.",
        "1. alice: 1234 messages\n2. agent-7: 20 messages\n3. bob is STALE, silent for 41 s.",
        "1) **alice** (1234)\n2) **agent-7** (20)",
        "Step 1 of 2: Look who sent most.\n\nStep 2 of 2: Say it.\n\nIt is alice.",
        "Between 14:00 and 16:00 UTC the most active sender was alice.",
        "On 2026-11-18 alice was the 1st, agent-7 the 2nd; bob comes third.",
        "On November 18, 2026 at 2 pm alice spoke; on 18 November, too.",
        "bob went stale at 15:29:30 (2026-11-18T15:29:30.123Z).",
        "bob has been stale since 15:29, a heartbeat is expected every 10 seconds.",
        "The top 5 senders are alice and agent-7.",
        "agent-7 sent twenty messages, and bob sent two.",
        "No one else was there, and one of them is stale.",
        "That is bus>grace, as Grace tells it.",
        "- alice: 1234\n- agent-7: 20",
        "| sender | messages |\n|---|---|\n| alice | 1234 |\n| agent-7 | 20 |",
        "Nobody sent anything unusual. Rogers wasn't watching all the time; `rogers_query` and `dead_letters` tell more.",
        "Messages from alice came in steadily, by far the most; to be precise, 1234.",
        "In the hour from 15:00 to 16:00 agent-7 sent 3.5 bytes.",
        "A 10-second heartbeat was expected of bob; the 41s are long.",
        "The long-running, well-known sender \"alice\" is the busiest."
      })
  void whatRowsHoldMayBeSaid(String text) {
    assertThat(check.unfounded(text, EVIDENCE)).as(text).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "alice sent 1235 messages.|1235",
        "alice sent 1,243 messages.|1,243",
        "alice sent about 1.2k messages.|1.2k",
        "alice sent 12345 messages.|12345",
        "alice sent 62 % of all.|62",
        "alice sent five messages.|five",
        "There were two hundred and five messages.|two hundred and five",
        "One message was lost.|One",
        "A dozen messages were lost.|dozen",
        "14 messages were lost.|14",
        "18 participants are there.|18",
        "carol sent most.|carol",
        "It was Carol.|Carol",
        "alice and dave sent 20.|dave",
        "The messages came from dave.|dave",
        "dave sent 20 messages.|dave",
        "Dave sent 20 messages.|Dave",
        "- dave: 20|dave",
        "The busiest is `dave`.|dave",
        "The busiest is agent-8.|agent-8",
        "The busiest is \"zed_9\".|zed_9",
        "Most of it is Dave's.|Dave",
        "bob went stale at 15:31.|15:31",
        "bob went stale on 2026-11-17.|2026-11-17",
        "bob went stale on November 17.|November 17",
        "bob went stale at 3 am today.|3 am",
        "bob was silent for 42s.|42",
        "The top 7 senders follow.|7",
        "3. alice leads.|3",
      })
  void whatNoRowHoldsMayNot(String text, String claim) {
    assertThat(check.unfounded(text, EVIDENCE)).as(text).contains(claim);
  }
}
