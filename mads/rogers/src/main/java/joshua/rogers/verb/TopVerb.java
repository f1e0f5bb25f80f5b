package joshua.rogers.verb;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import joshua.kernel.Json;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The verb {@code top}: the busiest senders and channels at the moment. */
@Command(name = "top", description = "Shows who sends most now, and where, until Ctrl-C.")
public final class TopVerb implements Verb {
  private static final int MAX_ROWS = 200;

  @Option(names = "--once", description = "End after one look.")
  private boolean once;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "How long one look takes; ${DEFAULT-VALUE} if left out.")
  private int seconds;

  @Option(names = "-n", paramLabel = "N", defaultValue = "8", description = "How many of each.")
  private int most;

  @Override
  public void run(VerbSession session) throws VerbFailedException, InterruptedException {
    Map<String, Long> senders = totals(session, "traffic", "name");
    Map<String, Long> channels = totals(session, "channels", "channel");
    do {
      new CountDownLatch(1).await(Math.max(1, seconds), TimeUnit.SECONDS);
      Map<String, Long> sendersNow = totals(session, "traffic", "name");
      Map<String, Long> channelsNow = totals(session, "channels", "channel");
      ObjectNode look = Json.object();
      look.set("senders", busiest(senders, sendersNow, "sender"));
      look.set("channels", busiest(channels, channelsNow, "channel"));
      session.out().json(look);
      session.out().line(query(session, "rate", Json.object()).path("sentence").asText());
      if (look.path("senders").isEmpty()) {
        session.out().line("Nothing was sent meanwhile.");
      } else {
        session.out().table(List.of("per_second", "sender"), look.path("senders"));
        session.out().table(List.of("per_second", "channel"), look.path("channels"));
      }
      session.out().line("");
      senders = sendersNow;
      channels = channelsNow;
    } while (!once);
  }

  private static ObjectNode query(VerbSession session, String name, ObjectNode arguments)
      throws VerbFailedException, InterruptedException {
    ObjectNode input = Json.object().put("name", name).set("arguments", arguments);
    return session.call(session.service() + "_query", input);
  }

  private static Map<String, Long> totals(VerbSession session, String query, String name)
      throws VerbFailedException, InterruptedException {
    Map<String, Long> totals = new HashMap<>();
    query(session, query, Json.object().put("limit", MAX_ROWS))
        .path("rows")
        .forEach(row -> totals.put(row.path(name).asText(), row.path("messages").asLong()));
    return totals;
  }

  private ArrayNode busiest(Map<String, Long> before, Map<String, Long> now, String name) {
    // A name new among so many rows may have been below them before.
    Map<String, Long> sent = new HashMap<>(now);
    sent.replaceAll(
        (each, total) -> total - before.getOrDefault(each, before.size() < MAX_ROWS ? 0L : total));
    ArrayNode rows = Json.mapper().createArrayNode();
    sent.entrySet().stream()
        .filter(each -> each.getValue() > 0)
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(most)
        .forEach(each ->
            rows.addObject()
                .put(name, each.getKey())
                .put(
                    "per_second",
                    Math.round(10.0 * each.getValue() / Math.max(1, seconds)) / 10.0));
    return rows;
  }
}
