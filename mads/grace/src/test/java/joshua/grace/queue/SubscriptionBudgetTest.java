package joshua.grace.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import joshua.grace.GraceConfig;
import joshua.grace.RunningGrace;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

/** Tests what all clients together may follow, and how it is shared among them (REQ-GR-04). */
final class SubscriptionBudgetTest {
  private static final int CLIENTS = 100;
  private static final int TOPICS = 2_000;
  private static final int GLOBS = 16;
  private static final GraceConfig CONFIG = new GraceConfig(100, CLIENTS, 1L << 20, TOPICS, GLOBS);

  private static JsonNode follow(
      RunningGrace grace, String client, int topics, IntFunction<String> name)
      throws InterruptedException {
    String names =
        IntStream.range(0, topics)
            .mapToObj(n -> "'" + name.apply(n) + "'")
            .collect(Collectors.joining(","));
    RunningGrace.Begun begun =
        grace.beginOnly(
            "grace_subscribe", "{'client_id':'%s','topics':[%s]}".formatted(client, names));
    // A refusal is returned at once; the others are never confirmed, for there is no Redis.
    return begun.now();
  }

  @Test
  @TriesLimit("grace.topics")
  void whoeverHoldsMuchIsRefusedAndEveryOtherClientStillGetsItsPart() throws Exception {
    try (RunningGrace grace = RunningGrace.apart(CONFIG)) {
      int hogs = 0;
      JsonNode answer = follow(grace, "hog-0", 300, n -> "mad.topic.h0-" + n);
      while (!answer.path("status").asText().equals("error") && hogs < CLIENTS) {
        hogs++;
        String hog = "h" + hogs;
        answer = follow(grace, "hog-" + hogs, 300, n -> "mad.topic.%s-%d".formatted(hog, n));
      }
      assertThat(answer.path("code").asText()).isEqualTo("overloaded");
      assertThat(answer.path("message").asText())
          .contains("all clients together may follow 2000 (JOSHUA_GRACE_TOPIC_LIMIT)")
          .contains("Unsubscribe from some")
          .contains("Nothing was subscribed");
      assertThat(hogs).isBetween(1, TOPICS / 2 / 290);

      for (int client = hogs; client < CLIENTS; client++) {
        String quiet = "q" + client;
        JsonNode small =
            follow(grace, quiet, TOPICS / 2 / CLIENTS, n -> "mad.topic.%s-%d".formatted(quiet, n));
        assertThat(small.path("code").asText()).as(quiet).isEmpty();
      }
      assertThat(grace.state("queues").path("topics").asInt()).isLessThanOrEqualTo(TOPICS);
    }
  }

  @Test
  void whatIsGivenUpIsThereForOthers() throws Exception {
    try (RunningGrace grace = RunningGrace.apart(CONFIG)) {
      follow(grace, "ann", 500, n -> "mad.topic.a" + n);
      assertThat(follow(grace, "bob", 500, n -> "mad.topic.b" + n).path("code").asText())
          .isEqualTo("overloaded");

      grace.call("grace_unsubscribe", "{'client_id':'ann'}");

      assertThat(grace.state("queues").path("topics").asInt()).isZero();
      assertThat(follow(grace, "bob", 500, n -> "mad.topic.b" + n).path("code").asText()).isEmpty();
      assertThat(grace.state("queues").path("topics").asInt()).isEqualTo(500);
    }
  }

  @Test
  @TriesLimit("grace.globs")
  void globsAreFewAndTheLastOfThemAreForClientsThatHoldFew() throws Exception {
    try (RunningGrace grace = RunningGrace.apart(CONFIG)) {
      assertThat(follow(grace, "hog", 6, n -> "mad.topic.h%d.*".formatted(n)).path("code").asText())
          .isEmpty();
      JsonNode refused = follow(grace, "hog", 7, n -> "mad.topic.h%d.*".formatted(n));
      assertThat(refused.path("code").asText()).isEqualTo("overloaded");
      assertThat(refused.path("message").asText())
          .contains("may follow 16 different ones (JOSHUA_GRACE_GLOB_LIMIT), 6 are followed")
          .contains("follow names, or a glob that is followed already");

      for (int client = 0; client < (GLOBS - 6) / 2; client++) {
        String small = "s" + client;
        assertThat(
                follow(grace, small, 2, n -> "mad.*.%s.%d".formatted(small, n))
                    .path("code")
                    .asText())
            .as(small)
            .isEmpty();
      }
      assertThat(follow(grace, "late", 1, n -> "mad.late.*").path("code").asText())
          .isEqualTo("overloaded");
      // A glob that any client already follows costs Redis nothing more.
      assertThat(follow(grace, "late", 1, n -> "mad.topic.h0.*").path("code").asText()).isEmpty();
      assertThat(grace.state("queues").path("globs").asInt()).isEqualTo(GLOBS);
    }
  }

  @Test
  void theDefaultsFitWhatALedgerNames() {
    GraceConfig config = new GraceConfig(100, 10_000, 1L << 20);
    assertThat(List.of(config.topicLimit(), config.globLimit())).containsExactly(60_000, 64);
  }
}
