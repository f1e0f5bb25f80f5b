package joshua.testing.bus;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import joshua.conversation.BusLink;
import joshua.conversation.ChannelPattern;

/**
 * A bus in the memory of a test, behind which there is no Redis: it delivers, counts, refuses and
 * loses as Redis does, as far as its participants can tell. {@code BusLinkContract} says what that
 * is, and is tried on both.
 *
 * <p>Guarded by {@code lock}: the connections and their subscriptions. Under it events are only
 * queued; each connection passes its own on by its own thread.
 */
public final class InMemoryBus {
  /** How many bytes of messages wait for a reader by default. */
  public static final long BYTE_LIMIT = 16 << 20;

  /** How messages to people name it. */
  static final String ADDRESS = "memory";

  private final InstantSource time;
  private final long byteLimit;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<InMemoryLink> links = new ArrayList<>();
  private final Set<ChannelPattern> refused = ConcurrentHashMap.newKeySet();
  private boolean cut;

  public InMemoryBus(InstantSource time) {
    this(time, BYTE_LIMIT);
  }

  /**
   * A bus with readers of little patience.
   *
   * @param byteLimit of messages that wait for a reader; what comes beyond is dropped
   */
  public InMemoryBus(InstantSource time, long byteLimit) {
    this.time = time;
    this.byteLimit = byteLimit;
  }

  /** The connection of one more participant, not opened yet. */
  public BusLink link() {
    return new InMemoryLink(this, lock, time, byteLimit);
  }

  /**
   * Publishes anything at all, as a third party would; works while the bus is cut off from its
   * participants, too.
   *
   * @return how many subscriptions matched
   */
  public long publish(String channel, byte[] body) {
    // As it is on the wire: byte by byte, one character for each.
    String name = new String(channel.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    byte[] published = body.clone();
    lock.lock();
    try {
      long receivers = 0;
      for (InMemoryLink link : links) {
        receivers += link.deliver(name, published);
      }
      return receivers;
    } finally {
      lock.unlock();
    }
  }

  /** Refuses the subscription from now on, as Redis does by its ACL. */
  public void refuse(ChannelPattern subscription) {
    refused.add(subscription);
  }

  boolean isRefused(ChannelPattern subscription) {
    return refused.contains(subscription);
  }

  /** Ends every connection, and lets none come until {@link #heal}. */
  public void cut() {
    lock.lock();
    try {
      if (!cut) {
        cut = true;
        links.forEach(InMemoryLink::lose);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Brings every connection back, and its subscriptions. */
  public void heal() {
    lock.lock();
    try {
      if (cut) {
        cut = false;
        links.forEach(InMemoryLink::restore);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether connections have been cut; to be called under the lock. */
  boolean isCut() {
    return cut;
  }

  void add(InMemoryLink link) {
    links.add(link);
  }

  void remove(InMemoryLink link) {
    links.remove(link);
  }

  /** How many connections have subscribed to a channel by name. */
  public long listeners(String channel) {
    lock.lock();
    try {
      return links.stream().filter(link -> link.isSubscribedByName(channel)).count();
    } finally {
      lock.unlock();
    }
  }

  /** How many different globs are subscribed to. */
  public long patterns() {
    lock.lock();
    try {
      return links.stream().flatMap(InMemoryLink::globs).distinct().count();
    } finally {
      lock.unlock();
    }
  }
}
