package joshua.rogers.loss;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.rogers.tap.ChannelTraffic;

/**
 * Finds channels that are published to without a known listener (+RG-18): no connection has
 * subscribed to the channel by name, and no pattern in a relay's ledger matches it. Nothing is
 * reported while there are more patterns at Redis than are known. Streams, {@code mad.system.*} and
 * Rogers' own events are left out: they often have no followers. For one thread.
 */
public final class UnheardChannels {
  /** Channels that are queried together; the rest wait for the next time. */
  public static final int ASKED_TOGETHER = 500;

  /** Channels that wait to be queried; further ones aren't checked. */
  public static final int WAITING = 10_000;

  /**
   * A channel without a known listener.
   *
   * @param messages published on it since it was last queried
   */
  public record Silence(Channel channel, long messages) {}

  private final ConversationBus bus;
  private final Supplier<Set<String>> knownPatterns;
  private final Map<String, Long> waiting = new LinkedHashMap<>();
  private Map<String, Long> counts = new HashMap<>();
  private boolean first = true;

  /**
   * @param knownPatterns what relays have subscribed to for their clients, according to their
   *     ledgers
   */
  public UnheardChannels(ConversationBus bus, Supplier<Set<String>> knownPatterns) {
    this.bus = bus;
    this.knownPatterns = knownPatterns;
  }

  /** Queries the channels that were published to since the last call. */
  public List<Silence> look(List<ChannelTraffic> channels)
      throws BusUnavailableException, InterruptedException {
    note(channels);
    Map<Channel, Long> asked = next();
    if (asked.isEmpty()) {
      return List.of();
    }
    List<ChannelPattern> patterns = patterns();
    long known = Stream.concat(patterns.stream(), Stream.of(ChannelPattern.ALL)).distinct().count();
    if (bus.patterns() > known) {
      return List.of();
    }
    List<Channel> names = List.copyOf(asked.keySet());
    List<Long> listeners = bus.listeners(names);
    List<Silence> silences = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      Channel name = names.get(i);
      boolean relayed = patterns.stream().anyMatch(pattern -> pattern.matches(name.name()));
      if (listeners.get(i) == 0 && !relayed) {
        silences.add(new Silence(name, asked.getOrDefault(name, 0L)));
      }
    }
    return silences;
  }

  private List<ChannelPattern> patterns() {
    return knownPatterns.get().stream()
        .map(ChannelPattern::parse)
        .flatMap(Optional::stream)
        .filter(ChannelPattern::isGlob)
        .toList();
  }

  private void note(List<ChannelTraffic> channels) {
    Map<String, Long> now = new HashMap<>();
    for (ChannelTraffic channel : channels) {
      if (!isLookedAt(channel)) {
        continue;
      }
      long messages = channel.messages();
      long before = counts.getOrDefault(channel.name(), first ? messages : 0L);
      // A channel that was forgotten and came back counts from 0.
      long more = messages < before ? messages : messages - before;
      now.put(channel.name(), messages);
      if (more > 0 && (waiting.size() < WAITING || waiting.containsKey(channel.name()))) {
        waiting.merge(channel.name(), more, Long::sum);
      }
    }
    counts = now;
    first = false;
  }

  private static boolean isLookedAt(ChannelTraffic channel) {
    return switch (channel.kind()) {
      case STREAM, SYSTEM -> false;
      case DIRECT, TOPIC, BROADCAST, OTHER ->
          !channel.name().equals(ChannelTraffic.OTHERS)
              && !channel.name().equals(Channel.SYSTEM_EVENTS.name());
    };
  }

  private Map<Channel, Long> next() {
    Map<Channel, Long> next = new LinkedHashMap<>();
    Iterator<Map.Entry<String, Long>> oldest = waiting.entrySet().iterator();
    while (oldest.hasNext() && next.size() < ASKED_TOGETHER) {
      Map.Entry<String, Long> channel = oldest.next();
      // Malformed messages may come on channels whose names break the rule.
      Channel.parse(channel.getKey()).ifPresent(name -> next.put(name, channel.getValue()));
      oldest.remove();
    }
    return next;
  }
}
