package joshua.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import joshua.kernel.Json;
import joshua.testing.RawEnvelope;
import joshua.testing.RawListener;
import joshua.testing.RawRedis;

/** Receives what Redis delivers on one channel, to the last message. */
final class ChannelListener implements AutoCloseable {
  private static final String ID = "\"message_id\":\"";
  private static final int ID_LENGTH = 36;

  private final String channel;
  private final RawRedis publisher;
  private final RawEnvelope last;
  private final CountDownLatch lastCame = new CountDownLatch(1);
  private final RawListener listener;

  /**
   * Listens as soon as this constructor has returned.
   *
   * @param redis creates connections that are logged in
   * @param each receives each envelope as text, one after the other
   */
  ChannelListener(Supplier<RawRedis> redis, String channel, Consumer<String> each) {
    this.channel = channel;
    this.last = RawEnvelope.on(channel).from("bench-listener");
    this.publisher = redis.get();
    String lastId = last.text("message_id");
    this.listener =
        RawListener.on(
            redis.get(),
            heard -> {
              if (heard.body().contains(lastId)) {
                lastCame.countDown();
              } else {
                each.accept(heard.body());
              }
            },
            channel);
  }

  /**
   * Waits until everything published before has arrived: a last message, published now, arrives
   * after it.
   */
  void awaitEverything() throws InterruptedException {
    publisher.publish(channel, last.json());
    if (!lastCame.await(WorkSpan.ANSWER_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new BenchmarkException(
          "Redis delivered no more messages on %s within %s"
              .formatted(channel, WorkSpan.seconds(WorkSpan.ANSWER_WITHIN)));
    }
  }

  /**
   * The id of an envelope; found without parsing all of it, which would cost more than receiving
   * it.
   */
  static String messageId(String envelope) {
    int begin = envelope.indexOf(ID) + ID.length();
    if (begin < ID.length() || envelope.length() < begin + ID_LENGTH) {
      return "an envelope without a message_id";
    }
    return envelope.substring(begin, begin + ID_LENGTH);
  }

  /** A whole envelope. */
  static JsonNode parse(String envelope) {
    try {
      return Json.parse(envelope);
    } catch (Json.MalformedJsonException e) {
      return Json.object();
    }
  }

  @Override
  public void close() {
    listener.close();
    publisher.close();
  }
}
