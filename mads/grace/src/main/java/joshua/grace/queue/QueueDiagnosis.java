package joshua.grace.queue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.conversation.EnvelopeCodec;
import joshua.grace.GraceConfig;
import joshua.grace.meter.MissedMessages;

/**
 * Explains why a client has or hasn't received messages, in sentences with instants, never ages.
 */
public final class QueueDiagnosis {
  private final ClientView client;
  private final GraceConfig config;
  private final List<String> sentences = new ArrayList<>();

  private QueueDiagnosis(ClientView client, GraceConfig config) {
    this.client = client;
    this.config = config;
  }

  public static List<String> of(ClientView client, GraceConfig config, boolean busUsable) {
    QueueDiagnosis queueDiagnosis = new QueueDiagnosis(client, config);
    if (!busUsable) {
      queueDiagnosis.say("Redis is away now: nothing comes for anybody until it is back.");
    }
    queueDiagnosis.came();
    queueDiagnosis.polls();
    queueDiagnosis.waits();
    queueDiagnosis.missed();
    return List.copyOf(queueDiagnosis.sentences);
  }

  /** The explanation for a client that has no queue. */
  public static String ofNone(String clientId, String epoch, Optional<Instant> evictedSince) {
    return evictedSince
        .map(since ->
            "%s has no queue: it was taken away, as the least recently used one beyond the limit of clients or by an admin. Messages since %s are lost, and its next call is told so."
                .formatted(clientId, EnvelopeCodec.timestamp(since)))
        .orElse(
            "%s has no queue here: it hasn't subscribed since this Grace began (epoch %s), or it has unsubscribed."
                .formatted(clientId, epoch));
  }

  private void say(String sentence) {
    sentences.add(sentence);
  }

  private void came() {
    if (client.following() == 0) {
      say("It follows no topic any more: nothing comes for it.");
    }
    say(
        "Since its queue was made at %s, %d messages came for it: %d it has, %d were dropped, %d wait."
            .formatted(
                EnvelopeCodec.timestamp(client.since()),
                client.delivered() + client.dropped() + client.waiting(),
                client.delivered(),
                client.dropped(),
                client.waiting()));
  }

  private void polls() {
    if (client.polling()) {
      say("A poll of its waits for news now.");
    } else {
      client
          .lastPoll()
          .ifPresentOrElse(
              at -> say("It polled last at %s.".formatted(EnvelopeCodec.timestamp(at))),
              () -> say("It has not polled since it subscribed, and only a poll takes messages."));
    }
    if (!client.present()) {
      say(
          "It counts as gone: its last call was at %s, more than %d s ago. What comes for it waits."
              .formatted(
                  EnvelopeCodec.timestamp(client.lastCall()),
                  ClientActivity.ABSENT_AFTER.toSeconds()));
    }
  }

  private void waits() {
    if (client.waiting() == 0) {
      return;
    }
    if (client.cursor()) {
      say(
          "It polls with a cursor: what it was answered goes on waiting until its next poll acknowledges it.");
    }
    if (client.waiting() >= config.queueLimit()) {
      say(
          "Its queue is full, %d messages: each further one drops the oldest."
              .formatted(config.queueLimit()));
    }
  }

  private void missed() {
    if (client.missed().isEmpty()) {
      say("There is no loss that it hasn't been told of.");
      return;
    }
    MissedMessages missedMessages = client.missed().get();
    String since = EnvelopeCodec.timestamp(missedMessages.since());
    switch (missedMessages.reason()) {
      case OVERFLOW -> overflowed(missedMessages, since);
      case RECONNECT ->
          say(
              "Its next poll is told that messages since %s may be missing: the connection to Redis was away."
                  .formatted(since));
      case EVICTED ->
          say(
              "Its next poll is told that messages since %s are lost: an earlier queue of its was taken away."
                  .formatted(since));
      case RESTART ->
          say(
              "Its next poll is told that messages since %s may be missing: Grace was started anew."
                  .formatted(since));
    }
  }

  private void overflowed(MissedMessages missedMessages, String since) {
    if (missedMessages.count().isPresent()) {
      say(
          "Its next poll is told that %d messages since %s were dropped unread: its queue had %d, or all queues together more than %d bytes."
              .formatted(
                  missedMessages.count().getAsLong(),
                  since,
                  config.queueLimit(),
                  config.queueBytes()));
    } else {
      say(
          "Its next poll is told that messages since %s were dropped, nobody knows how many: Redis sent faster than Grace took them."
              .formatted(since));
    }
  }
}
