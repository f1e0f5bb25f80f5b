package joshua.grace.queue;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import joshua.conversation.envelope.ChannelPattern;
import joshua.kernel.SpellingSuggestion;

/**
 * Which queues a channel's messages go into. Looking that up takes no lock: routes are kept until
 * what is followed changes. Changes are guarded by the lock of {@link ClientQueues}.
 */
final class TopicIndex {
  /** Distinct patterns with a wildcard; each is matched against each new channel. */
  static final int MAX_GLOBS = 1_000;

  /**
   * Wildcards of one client, a tenth of those of all. With tokens a client has one name, so that it
   * can't have more by another.
   */
  static final int MAX_GLOBS_OF_CLIENT = 100;

  private static final int MAX_ROUTES = 50_000;
  private static final int MOST_COMPARED = 1_000;

  private record Route(long generation, List<ClientQueue> queues) {}

  private final Map<ChannelPattern, Set<ClientQueue>> names = new ConcurrentHashMap<>();
  private final Map<ChannelPattern, Set<ClientQueue>> globs = new ConcurrentHashMap<>();
  private final Map<String, Route> routes = new ConcurrentHashMap<>();
  private volatile long generation;

  /** The queues of those who follow a channel and may read it, each once. */
  List<ClientQueue> route(String channel) {
    long now = generation;
    Route known = routes.get(channel);
    if (known != null && known.generation() == now) {
      return known.queues();
    }
    Set<ClientQueue> queues =
        ChannelPattern.parse(channel)
            .map(names::get)
            .<Set<ClientQueue>>map(LinkedHashSet::new)
            .orElseGet(LinkedHashSet::new);
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

  /**
   * Why a client can't follow topics, in a sentence, if so.
   *
   * @param all those that it would follow
   * @param more those of them that are new
   */
  Optional<String> noRoom(
      String clientId, Set<ChannelPattern> all, Collection<ChannelPattern> more) {
    if (all.size() > ClientQueues.MAX_TOPICS) {
      return Optional.of(
          "A client follows at most %d topics; unsubscribe some, or use wildcards."
              .formatted(ClientQueues.MAX_TOPICS));
    }
    long own = all.stream().filter(ChannelPattern::isGlob).count();
    if (own > MAX_GLOBS_OF_CLIENT) {
      return Optional.of(
          "%s would follow %d wildcards, and a client follows at most %d; unsubscribe some, name channels, or use one wildcard for several."
              .formatted(clientId, own, MAX_GLOBS_OF_CLIENT));
    }
    long added =
        more.stream().distinct().filter(each -> each.isGlob() && !globs.containsKey(each)).count();
    return globs.size() + added > MAX_GLOBS
        ? Optional.of(
            "All clients together follow %d wildcards, and that is the most; name channels."
                .formatted(MAX_GLOBS))
        : Optional.empty();
  }

  void add(ChannelPattern topic, ClientQueue queue) {
    likeTopic(topic).computeIfAbsent(topic, t -> ConcurrentHashMap.newKeySet()).add(queue);
    changed();
  }

  void remove(ChannelPattern topic, ClientQueue queue) {
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
  long generation() {
    return generation;
  }

  /** How many clients follow each topic, without those that only watch. */
  Map<String, Integer> followers() {
    Map<String, Integer> followers = new HashMap<>();
    for (var topics : List.of(names, globs)) {
      topics.forEach((topic, queues) -> {
        int number = receivers(queues);
        if (number > 0) {
          followers.put(topic.text(), number);
        }
      });
    }
    return followers;
  }

  /** How many of these receive messages, and don't only watch. */
  static int receivers(Collection<ClientQueue> queues) {
    return (int) queues.stream().filter(queue -> !queue.watches).count();
  }

  /** A channel that somebody follows and that is written nearly like this one. */
  Optional<String> near(String channel) {
    return SpellingSuggestion.nearest(
        channel,
        names.entrySet().stream()
            .filter(topic -> receivers(topic.getValue()) > 0)
            .map(topic -> topic.getKey().text())
            .limit(MOST_COMPARED)
            .toList());
  }
}
