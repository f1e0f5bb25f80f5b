package joshua.bench;

import io.lettuce.core.RedisClient;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/** The smallest subscriber of everything: Lettuce with a listener that counts one number. */
final class BareSubscriber {
  private BareSubscriber() {}

  public static void main(String[] arguments) throws InterruptedException {
    LongAdder heard = new LongAdder();
    try (RedisClient client = RedisClient.create(arguments[0]);
        StatefulRedisPubSubConnection<String, String> connection = client.connectPubSub()) {
      connection.addListener(
          new RedisPubSubAdapter<>() {
            @Override
            public void message(String pattern, String channel, String message) {
              heard.increment();
            }
          });
      connection.sync().psubscribe("mad.*");
      System.out.println(0);
      new CountDownLatch(1).await();
    }
  }
}
