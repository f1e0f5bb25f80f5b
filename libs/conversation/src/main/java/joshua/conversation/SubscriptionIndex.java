package joshua.conversation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All subscriptions that are followed or confirmed, and the channels that belong to them. Names are
 * looked up; globs are found by their literal prefix and suffix, and only those that share both
 * with the channel are matched: the cost of a look-up doesn't grow with the number of
 * subscriptions.
 *
 * <p>The route of a channel is cached. A change of a subscription's followers leaves it in the
 * cache, a change of a name affects its own channel only, and a change of the globs is noticed by
 * their generation when a channel is looked up next: no change walks through the cache.
 *
 * <p>Guarded by the lock of {@link SubscriptionRouter}.
 */
final class SubscriptionIndex {
  /** The maximum number of cached routes. */
  private static final int ROUTE_LIMIT = 8_192;

  /** Longer names are routed again each time; no valid channel has one. */
  private static final int ROUTE_NAME_LIMIT = 256;

  /** One subscription. */
  static final class Entry {
    private final ChannelPattern pattern;
    private final boolean glob;
    private final Set<MessageReceiver> receivers = new LinkedHashSet<>(2);
    private boolean confirmed;

    /** Increases with each change of the receivers. */
    private long version;

    private Entry(ChannelPattern pattern) {
      this.pattern = pattern;
      this.glob = pattern.isGlob();
    }

    ChannelPattern pattern() {
      return pattern;
    }

    boolean isConfirmed() {
      return confirmed;
    }

    boolean isFollowed() {
      return !receivers.isEmpty();
    }

    private boolean isOfNoUse() {
      return !confirmed && receivers.isEmpty();
    }

    /** Adds the receivers of messages on {@code channel}; returns whether there is one. */
    private boolean addReceivers(String channel, Set<MessageReceiver> all) {
      boolean taken = false;
      for (MessageReceiver messageReceiver : receivers) {
        if (!glob || messageReceiver.takes(pattern, channel)) {
          all.add(messageReceiver);
          taken = true;
        }
      }
      return taken;
    }
  }

  /** The receivers of one channel, and the one subscription whose copies are taken. */
  static final class Route {
    private final String channel;
    private final List<Entry> matching;
    private final Optional<ChannelPattern> chosen;
    private final long generation;
    private long version;
    private List<MessageReceiver> receivers = List.of();
    private int unused;

    private Route(String channel, List<Entry> matching, long generation) {
      this.channel = channel;
      this.matching = matching;
      this.generation = generation;
      this.chosen = matching.stream().filter(Entry::isConfirmed).findFirst().map(Entry::pattern);
      merge();
    }

    Optional<ChannelPattern> chosen() {
      return chosen;
    }

    List<MessageReceiver> receivers() {
      return receivers;
    }

    /**
     * How many of the copies that Redis sends are for subscriptions without a receiver of this
     * channel.
     */
    int unusedCopies() {
      return unused;
    }

    /** Applies the changes of followers since. */
    private Route renewed() {
      if (version != versions()) {
        merge();
      }
      return this;
    }

    private long versions() {
      long sum = 0;
      for (int i = 0; i < matching.size(); i++) {
        sum += matching.get(i).version;
      }
      return sum;
    }

    private void merge() {
      version = versions();
      if (matching.size() == 1 && !matching.getFirst().glob) {
        Entry only = matching.getFirst();
        receivers = List.copyOf(only.receivers);
        unused = only.confirmed && receivers.isEmpty() ? 1 : 0;
        return;
      }
      Set<MessageReceiver> all = new LinkedHashSet<>();
      unused = 0;
      for (Entry entry : matching) {
        if (!entry.addReceivers(channel, all) && entry.confirmed) {
          unused++;
        }
      }
      receivers = List.copyOf(all);
    }
  }

  private final Map<String, Entry> names = new HashMap<>();
  private final Map<String, Entry> globs = new HashMap<>();

  /** By literal prefix, then by reversed literal suffix, then by text. */
  private final PrefixTrie<PrefixTrie<Map<String, Entry>>> globsByEnds = new PrefixTrie<>();

  private final Map<String, Route> routes = new HashMap<>();
  private long generation;
  private int followedNames;
  private int followedGlobs;

  /** How many different subscriptions are followed. */
  int followed() {
    return followedNames + followedGlobs;
  }

  /** How many of them are globs. */
  int followedGlobs() {
    return followedGlobs;
  }

  @Nullable Entry find(ChannelPattern pattern) {
    return (pattern.isGlob() ? globs : names).get(pattern.text());
  }

  boolean isFollowed(ChannelPattern pattern) {
    Entry entry = find(pattern);
    return entry != null && entry.isFollowed();
  }

  /**
   * Adds a receiver.
   *
   * @return whether it is the first follower of the subscription
   */
  boolean follow(MessageReceiver messageReceiver, ChannelPattern pattern) {
    Entry entry = entry(pattern);
    boolean first = !entry.isFollowed();
    if (entry.receivers.add(messageReceiver)) {
      entry.version++;
    }
    if (first) {
      countFollowed(pattern, 1);
    }
    return first;
  }

  /**
   * Removes a receiver.
   *
   * @return whether it was the last follower of the subscription
   */
  boolean unfollow(MessageReceiver messageReceiver, ChannelPattern pattern) {
    Entry entry = find(pattern);
    if (entry == null || !entry.receivers.remove(messageReceiver)) {
      return false;
    }
    entry.version++;
    boolean last = !entry.isFollowed();
    if (last) {
      countFollowed(pattern, -1);
      dropUseless(entry);
    }
    return last;
  }

  /** The subscription's followers have changed which of its channels they take. */
  void reconsider(ChannelPattern pattern) {
    Entry entry = find(pattern);
    if (entry != null) {
      entry.version++;
    }
  }

  private void countFollowed(ChannelPattern pattern, int more) {
    if (pattern.isGlob()) {
      followedGlobs += more;
    } else {
      followedNames += more;
    }
  }

  /** Redis has confirmed: copies arrive for it from now on. */
  void confirm(ChannelPattern pattern) {
    Entry entry = entry(pattern);
    if (!entry.confirmed) {
      entry.confirmed = true;
      changed(pattern);
    }
  }

  /** No more copies arrive for it. */
  void end(ChannelPattern pattern) {
    Entry entry = find(pattern);
    if (entry != null && entry.confirmed) {
      entry.confirmed = false;
      changed(pattern);
      dropUseless(entry);
    }
  }

  /** No more copies arrive for any subscription. */
  void endAll() {
    for (Map<String, Entry> all : List.of(names, globs)) {
      List<Entry> confirmed = all.values().stream().filter(Entry::isConfirmed).toList();
      confirmed.forEach(entry -> {
        entry.confirmed = false;
        dropUseless(entry);
      });
    }
    routes.clear();
  }

  private Entry entry(ChannelPattern pattern) {
    Entry known = find(pattern);
    if (known != null) {
      return known;
    }
    Entry fresh = new Entry(pattern);
    if (pattern.isGlob()) {
      globs.put(pattern.text(), fresh);
      globsByEnds
          .at(RedisGlob.literalBeginning(pattern.text()), PrefixTrie::new)
          .at(reversed(RedisGlob.literalEnd(pattern.text())), HashMap::new)
          .put(pattern.text(), fresh);
    } else {
      names.put(pattern.text(), fresh);
    }
    changed(pattern);
    return fresh;
  }

  private void dropUseless(Entry entry) {
    if (!entry.isOfNoUse()) {
      return;
    }
    String text = entry.pattern.text();
    if (entry.pattern.isGlob()) {
      globs.remove(text);
      forgetEnds(text);
    } else {
      names.remove(text);
    }
    changed(entry.pattern);
  }

  private void forgetEnds(String glob) {
    String beginning = RedisGlob.literalBeginning(glob);
    String end = reversed(RedisGlob.literalEnd(glob));
    PrefixTrie<Map<String, Entry>> byEnd = globsByEnds.find(beginning);
    Map<String, Entry> group = byEnd == null ? null : byEnd.find(end);
    if (byEnd == null || group == null) {
      return;
    }
    group.remove(glob);
    if (group.isEmpty()) {
      byEnd.remove(end);
    }
    if (byEnd.isEmpty()) {
      globsByEnds.remove(beginning);
    }
  }

  private void changed(ChannelPattern pattern) {
    if (pattern.isGlob()) {
      generation++;
    } else {
      routes.remove(pattern.text());
    }
  }

  /** The current route of a channel. */
  Route route(String channel) {
    Route known = routes.get(channel);
    if (known != null && known.generation == generation) {
      return known.renewed();
    }
    Route fresh = new Route(channel, matching(channel), generation);
    if (channel.length() <= ROUTE_NAME_LIMIT) {
      if (routes.size() >= ROUTE_LIMIT) {
        routes.clear();
      }
      routes.put(channel, fresh);
    }
    return fresh;
  }

  /** The name first, then the globs in the order of their texts. */
  private List<Entry> matching(String channel) {
    List<Entry> matching = new ArrayList<>();
    if (!globs.isEmpty()) {
      String backwards = reversed(channel);
      globsByEnds.forEachBeginningOf(
          channel,
          byEnd ->
              byEnd.forEachBeginningOf(
                  backwards,
                  group ->
                      group.forEach((glob, entry) -> {
                        if (RedisGlob.matches(glob, channel)) {
                          matching.add(entry);
                        }
                      })));
      matching.sort(Comparator.comparing(entry -> entry.pattern.text()));
    }
    Entry name = names.get(channel);
    if (name != null) {
      matching.addFirst(name);
    }
    return matching;
  }

  private static String reversed(String text) {
    return new StringBuilder(text).reverse().toString();
  }

  /** All receivers that follow anything. */
  Collection<MessageReceiver> receivers() {
    Set<MessageReceiver> all = new LinkedHashSet<>();
    names.values().forEach(entry -> all.addAll(entry.receivers));
    globs.values().forEach(entry -> all.addAll(entry.receivers));
    return all;
  }
}
