package joshua.rogers.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.kernel.Json;
import joshua.thought.Query;
import joshua.thought.QueryFailedException;
import joshua.thought.QuerySpec;
import joshua.thought.RowSummary;
import joshua.thought.UserPrompt;

/**
 * Whether any client listens on a channel now, according to Redis and the relays' ledgers.
 *
 * @param byName how many connections have subscribed to channels by name
 * @param knownPatterns what relays have subscribed to for their clients
 */
public record ListenersQuery(SubscriberCount byName, Supplier<Set<String>> knownPatterns)
    implements Query {

  /** Asks Redis. */
  @FunctionalInterface
  public interface SubscriberCount {
    List<Long> of(List<Channel> channels) throws BusUnavailableException, InterruptedException;
  }

  @Override
  public QuerySpec spec() {
    return RogersQueries.LISTENERS;
  }

  @Override
  public ArrayNode run(ObjectNode arguments, UserPrompt userPrompt) throws Exception {
    String name = arguments.path("channel").asText();
    Channel channel =
        Channel.parse(name)
            .orElseThrow(() ->
                new QueryFailedException(
                    "%s is no channel.".formatted(name), new IllegalArgumentException(name)));
    ArrayNode rows = Json.shared().createArrayNode();
    ObjectNode row =
        rows.addObject()
            .put("channel", name)
            .put("by_name", byName.of(List.of(channel)).getFirst());
    ArrayNode patterns = row.putArray("patterns");
    knownPatterns.get().stream()
        .sorted()
        .filter(text ->
            ChannelPattern.parse(text)
                .filter(pattern -> pattern.isGlob() && pattern.matches(name))
                .isPresent())
        .forEach(patterns::add);
    return rows;
  }

  @Override
  public RowSummary summary(ObjectNode arguments, ArrayNode rows) {
    long connections = rows.path(0).path("by_name").asLong();
    int patterns = rows.path(0).path("patterns").size();
    String name = arguments.path("channel").asText();
    String answer =
        connections + patterns == 0
            ? "Nobody is known to listen on %s.".formatted(name)
            : "Somebody listens on %s: %s by its name, %s of relays."
                .formatted(name, count(connections, "connection"), count(patterns, "pattern"));
    return new RowSummary(
        Optional.of(answer),
        List.of(
            "Rogers doesn't know who they are, nor of patterns that aren't a relay's; Grace knows its"
                + " own clients: `joshua at grace clients`."));
  }

  private static String count(long number, String thing) {
    return number == 1 ? "1 " + thing : "%d %ss".formatted(number, thing);
  }
}
