package joshua.grace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;

/** Tests overlapping subscriptions of which one fails (+GR-05): a success stays in force. */
final class RetriedSubscribeIT {
  private static final String SUBSCRIBE = "{'client_id':'ann','topics':['mad.topic.new']}";

  @Test
  void theRetryOfASubscriptionThatFailedIsFollowedWhenItSucceeds() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RunningGrace grace = RunningGrace.on(redis)) {
      grace.subscribe("ann", "mad.topic.old");
      retryAcrossAnOutage(redis, grace);
    }
  }

  @Test
  void theQueueThatAFailedSubscriptionMadeStaysForItsRetry() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RunningGrace grace = RunningGrace.on(redis)) {
      retryAcrossAnOutage(redis, grace);
    }
  }

  private static void retryAcrossAnOutage(RealRedis redis, RunningGrace grace) throws Exception {
    RunningGrace.Begun first;
    RunningGrace.Begun retry;
    redis.freeze();
    try {
      first = grace.beginOnly("grace_subscribe", SUBSCRIBE);
      retry = grace.beginOnly("grace_subscribe", SUBSCRIBE);
      assertThat(first.await().path("code").asText()).isEqualTo("bus_unavailable");
    } finally {
      redis.thaw();
    }

    JsonNode subscribed = retry.await();

    assertThat(subscribed.path("status").asText()).as(subscribed.toString()).isEqualTo("success");
    assertThat(grace.send("mad.topic.new", "{'n':1}").path("queues").asInt()).isEqualTo(1);
    assertThat(grace.pollWaiting("ann").path("messages")).hasSize(1);
  }

  @Test
  void whenAllOfThemFailNothingIsLeft() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RunningGrace grace = RunningGrace.on(redis)) {
      redis.freeze();
      try {
        RunningGrace.Begun first = grace.beginOnly("grace_subscribe", SUBSCRIBE);
        RunningGrace.Begun retry = grace.beginOnly("grace_subscribe", SUBSCRIBE);
        assertThat(first.await().path("code").asText()).isEqualTo("bus_unavailable");
        assertThat(retry.await().path("code").asText()).isEqualTo("bus_unavailable");
        assertThat(grace.poll("ann").path("code").asText()).isEqualTo("not_subscribed");
      } finally {
        redis.thaw();
      }
    }
  }

  @Test
  void aSubscriptionThatFailsForgetsNoEviction() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RunningGrace grace = RunningGrace.on(redis, new GraceConfig(100, 1, 1L << 30))) {
      grace.subscribe("ann", "mad.topic.old");
      grace.subscribe("bob", "mad.topic.old");
      redis.freeze();
      try {
        assertThat(grace.call("grace_subscribe", SUBSCRIBE).path("code").asText())
            .isEqualTo("bus_unavailable");
      } finally {
        redis.thaw();
      }

      JsonNode back = grace.call("grace_subscribe", SUBSCRIBE);

      assertThat(back.path("gap").path("reason").asText()).as(back.toString()).isEqualTo("evicted");
    }
  }

  @Test
  void aQueueThatWasGivenUpMeanwhileIsNoSuccess() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RunningGrace grace = RunningGrace.on(redis)) {
      // Confirmed already, so that only the queue can be wrong.
      grace.subscribe("bob", "mad.topic.new");
      RunningGrace.Begun subscribing = grace.beginOnly("grace_subscribe", SUBSCRIBE);
      grace.call("grace_unsubscribe", "{'client_id':'ann'}");

      assertThat(subscribing.await().path("code").asText()).isEqualTo("not_subscribed");
    }
  }

  @Test
  void aTopicThatWasGivenUpMeanwhileIsNoSuccess() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RunningGrace grace = RunningGrace.on(redis)) {
      grace.subscribe("bob", "mad.topic.new");
      grace.subscribe("ann", "mad.topic.old");
      RunningGrace.Begun subscribing = grace.beginOnly("grace_subscribe", SUBSCRIBE);
      grace.call("grace_unsubscribe", "{'client_id':'ann','topics':['mad.topic.new']}");

      assertThat(subscribing.await().path("code").asText()).isEqualTo("not_subscribed");
      assertThat(grace.poll("ann").path("status").asText()).isEqualTo("success");
    }
  }
}
