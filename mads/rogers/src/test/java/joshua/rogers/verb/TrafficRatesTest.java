package joshua.rogers.verb;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import joshua.kernel.Json;
import joshua.ssh.StyledLine;
import org.junit.jupiter.api.Test;

/** Rates between two measurements. */
class TrafficRatesTest {
  private static JsonNode rows(String json) {
    return Json.object("{\"rows\":%s}".formatted(json.replace('\'', '"'))).path("rows");
  }

  private static final TrafficSnapshot BEFORE =
      new TrafficSnapshot(
          Duration.ofSeconds(10),
          rows("[{'messages':100,'bytes':10000}]"),
          rows("[{'channel':'mad.topic.a','messages':60,'bytes':6000}]"),
          rows("[{'sender':'ann','messages':100,'bytes':10000}]"));

  private static final TrafficSnapshot AFTER =
      new TrafficSnapshot(
          Duration.ofSeconds(12),
          rows("[{'messages':150,'bytes':20240}]"),
          rows(
              "[{'channel':'mad.topic.a','messages':70,'bytes':7000},"
                  + "{'channel':'mad.topic.b','messages':40,'bytes':9240}]"),
          rows(
              "[{'sender':'ann','messages':100,'bytes':10000},"
                  + "{'sender':'bob','messages':50,'bytes':10240}]"));

  @Test
  void whatFlowsIsTheDifferenceByTheTime() {
    TrafficRates trafficRates = TrafficRates.between(BEFORE, AFTER, 10);
    assertThat(Json.write(trafficRates.json()).replace('"', '\''))
        .isEqualTo(
            "{'seconds':2.0,'messages_per_s':25.0,'bytes_per_s':5120.0,'channels':["
                + "{'channel':'mad.topic.b','messages_per_s':20.0,'bytes_per_s':4620.0},"
                + "{'channel':'mad.topic.a','messages_per_s':5.0,'bytes_per_s':500.0}],"
                + "'senders':[{'sender':'bob','messages_per_s':25.0,'bytes_per_s':5120.0}]}");
    assertThat(trafficRates.lines().stream().map(StyledLine::plain).map(String::stripTrailing))
        .containsExactly(
            "25.0 messages/s, 5.0 KiB/s (over 2.0 s)",
            "",
            "MESSAGES/S  KIB/S  CHANNEL",
            "      20.0    4.5  mad.topic.b",
            "       5.0    0.5  mad.topic.a",
            "",
            "MESSAGES/S  KIB/S  SENDER",
            "      25.0    5.0  bob");
  }

  @Test
  void onlyTheBusiestAreShown() {
    assertThat(TrafficRates.between(BEFORE, AFTER, 1).channels()).hasSize(1);
  }

  @Test
  void noTimeBetweenIsNoDivisionByZero() {
    assertThat(TrafficRates.between(AFTER, AFTER, 10).all().messages()).isZero();
  }
}
