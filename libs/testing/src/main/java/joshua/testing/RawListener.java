package joshua.testing;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * A bus listener that PSUBSCRIBEs as redis-cli would, and keeps every message in order, or passes
 * it on.
 */
public final class RawListener implements AutoCloseable {

  /** One message as Redis delivered it. */
  public record Heard(String channel, String body) {}

  private final RawRedis connection;
  private final List<Heard> heard;
  private final Consumer<Heard> each;
  private final Thread thread;

  private RawListener(RawRedis connection, List<Heard> heard, Consumer<Heard> each) {
    this.connection = connection;
    this.heard = heard;
    this.each = each;
    this.thread = Thread.ofVirtual().name("raw-listener").unstarted(this::run);
  }

  /** Listens from the return of this method on. */
  public static RawListener on(RealRedis redis, String... patterns) {
    return on(redis.raw(), patterns);
  }

  /** As above, on a connection of its own to any Redis. */
  public static RawListener on(RawRedis connection, String... patterns) {
    List<Heard> heard = new CopyOnWriteArrayList<>();
    return listen(new RawListener(connection, heard, heard::add), patterns);
  }

  /**
   * As above, but keeps nothing: for floods.
   *
   * @param each receives every message, on one thread, and must not throw
   */
  public static RawListener on(RawRedis connection, Consumer<Heard> each, String... patterns) {
    return listen(new RawListener(connection, List.of(), each), patterns);
  }

  private static RawListener listen(RawListener listener, String... patterns) {
    RawRedis connection = listener.connection;
    connection.send(RawRedis.utf8("PSUBSCRIBE", patterns));
    for (int i = 0; i < patterns.length; i++) {
      String confirmation = connection.read();
      if (!confirmation.startsWith("[psubscribe")) {
        throw new AssertionError("Redis did not subscribe: " + confirmation);
      }
    }
    listener.thread.start();
    return listener;
  }

  private void run() {
    try {
      while (true) {
        List<String> message = connection.awaitArray();
        each.accept(new Heard(message.get(2), message.get(3)));
      }
    } catch (IOException e) {
      // Closed, or Redis is gone: what was received is kept.
    }
  }

  public List<Heard> heard() {
    return List.copyOf(heard);
  }

  /** The bodies received on one channel. */
  public List<String> on(String channel) {
    return heard.stream()
        .filter(message -> message.channel().equals(channel))
        .map(Heard::body)
        .toList();
  }

  @Override
  public void close() {
    connection.close();
  }
}
