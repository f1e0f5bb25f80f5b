package joshua.grace.queue;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import joshua.conversation.RelayReports;
import joshua.conversation.envelope.ChannelPattern;
import joshua.kernel.SpellingSuggestion;
import org.jspecify.annotations.Nullable;

/**
 * The index of subscriptions, which routes a channel to the queues that follow it. Routes are
 * cached and read without a lock; changes are guarded by the lock of {@link ClientQueues}.
 */
public final class TopicIndex {
  /** Distinct patterns with a wildcard; each is matched against each new channel. */
  static final int MAX_GLOBS = 1_000;

  /** Of one client, which with tokens has one name, and so no more by another. */
  static final int MAX_GLOBS_OF_CLIENT = 100;

  private static final int MAX_ROUTES = 50_000;
  private static final int MAX_COMPARED = 1_000;

  private record Route(long generation, List<ClientQueue> queues) {}

  private final Map<ChannelPattern, Set<ClientQueue>> names = new ConcurrentHashMap<>();
  private final Map<ChannelPattern, Set<ClientQueue>> globs = new ConcurrentHashMap<>();
  private final Map<String, Route> routes = new ConcurrentHashMap<>();
  private final Set<String> left = ConcurrentHashMap.newKeySet();
  private volatile long generation;

  /** The queues of those who follow a channel and may read it, each once. */
  List<ClientQueue> route(String channel) {
    long now = generation;
    Route known = routes.get(channel);
    if (known != null && known.generation() == now) {
      return known.queues();
    }
    Set<ClientQueue> queues =
        new LinkedHashSet<>(ChannelPattern.parse(channel).map(names::get).orElse(Set.of()));
    globs.forEach((glob, followers) -> {
      if (glob.matches(channel) && glob.asksFor(channel)) {
        queues.addAll(followers);
      }
    });
    if (routes.size() >= MAX_ROUTES) {
      routes.clear();
    }
    queues.removeIf(queue -> !queue.mayRead(channel));
    Route route = new Route(now, List.copyOf(queues));
    routes.put(channel, route);
    return route.queues();
  }

  /** Why a client can't follow all these topics, in a sentence; null if it can. */
  @Nullable String noRoom(String clientId, Set<ChannelPattern> all) {
    if (all.size() > ClientQueues.MAX_TOPICS) {
      return "A client follows at most %d topics; unsubscribe some, or use wildcards."
          .formatted(ClientQueues.MAX_TOPICS);
    }
    long own = all.stream().filter(ChannelPattern::isGlob).count();
    if (own > MAX_GLOBS_OF_CLIENT) {
      return "%s would follow %d wildcards, and a client follows at most %d; unsubscribe some, name channels, or use one wildcard for several."
          .formatted(clientId, own, MAX_GLOBS_OF_CLIENT);
    }
    long added = all.stream().filter(each -> each.isGlob() && !globs.containsKey(each)).count();
    return globs.size() + added > MAX_GLOBS
        ? "All clients together follow %d wildcards, and that is the most; name channels."
            .formatted(MAX_GLOBS)
        : null;
  }

  void add(ChannelPattern topic, ClientQueue queue) {
    likeTopic(topic).computeIfAbsent(topic, t -> ConcurrentHashMap.newKeySet()).add(queue);
    changed();
  }

  void remove(ChannelPattern topic, ClientQueue queue) {
    if (!queue.watches && left.size() < RelayReports.MAX_PATTERNS) {
      left.add(topic.text()); // before it goes, or a report between would have it nowhere
    }
    likeTopic(topic)
        .computeIfPresent(
            topic,
            (t, followers) -> followers.remove(queue) && followers.isEmpty() ? null : followers);
    changed();
  }

  private Map<ChannelPattern, Set<ClientQueue>> likeTopic(ChannelPattern topic) {
    return topic.isGlob() ? globs : names;
  }

  /** What a queue follows or may get is another. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // changes come under the lock
  void changed() {
    generation++;
  }

  /** How often what is followed has changed. */
  public long generation() {
    return generation;
  }

  public boolean isFollowed(String channel) {
    return !route(channel).isEmpty();
  }

  /** How many clients receive what somebody sends on a channel, without those that only watch. */
  public int receivers(String channel, @Nullable String sender) {
    return receivers(route(channel).stream().filter(queue -> queue.takes(channel, sender)));
  }

  /** How many clients follow each topic, without those that only watch. */
  public Map<String, Integer> followers() {
    Map<String, Integer> followers = new HashMap<>();
    for (var topics : List.of(names, globs)) {
      topics.forEach((topic, queues) -> followers.put(topic.text(), receivers(queues.stream())));
    }
    followers.values().removeIf(number -> number == 0);
    return followers;
  }

  /** Takes the topics that some client has ceased to follow since this was last called. */
  public List<String> takeLeft() {
    List<String> taken = List.copyOf(left);
    taken.forEach(left::remove);
    return taken;
  }

  private static int receivers(Stream<ClientQueue> queues) {
    return (int) queues.filter(queue -> !queue.watches).count();
  }

  /** A channel that somebody follows and that is written nearly like this one. */
  public Optional<String> near(String channel) {
    return SpellingSuggestion.nearest(
        channel,
        names.entrySet().stream()
            .filter(topic -> receivers(topic.getValue().stream()) > 0)
            .map(topic -> topic.getKey().text())
            .limit(MAX_COMPARED)
            .toList());
  }
}
