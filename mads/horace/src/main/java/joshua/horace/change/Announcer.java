package joshua.horace.change;

import static java.util.stream.Collectors.groupingBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.SendResult;
import joshua.conversation.envelope.Channel;
import joshua.horace.change.ChangeLog.Change;
import joshua.kernel.Json;
import joshua.kernel.Recurring;
import joshua.state.Database;
import joshua.state.Pulse;

/**
 * Publishes each change on the topic of its project: at least once, in order, also after a crash,
 * then with the same message id. Of many changes of a project at once it tells only which they are.
 */
public final class Announcer implements AutoCloseable {
  private static final int MAX_CHANGES = 100;
  private static final int MANY = 20;
  private static final Duration SLOW = Duration.ofMillis(500);
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final Database database;
  private final Pulse changes;
  private final Function<OutgoingMessage, SendResult> send;
  private final String store;
  private final Thread thread;
  private volatile boolean tells = true;
  private volatile long tellsSince; // 0 while there is nothing to tell

  /** An announcer that runs. */
  public Announcer(Database database, Pulse changes, Function<OutgoingMessage, SendResult> send) {
    this.database = database;
    this.changes = changes;
    this.send = send;
    this.store =
        database.read(tx -> tx.row(String.class, "select store from announced").orElseThrow());
    this.thread = Thread.ofVirtual().name("announcer").start(this::run);
  }

  /** When a change is announced that is stored now: {@code now}, or {@code later}. */
  public String told() {
    long since = tellsSince;
    boolean waits = since != 0 && System.nanoTime() - since > SLOW.toNanos();
    return tells && !waits ? "now" : "later";
  }

  private void run() {
    Runnable telling = Recurring.surviving(this::announce);
    try {
      while (true) {
        long seen = changes.changes();
        telling.run();
        changes.await(seen, AGAIN);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // it is closed
    }
  }

  private void announce() {
    while (true) {
      List<Change> next =
          database.read(tx -> {
            long told = tx.number("select seq from announced");
            return ChangeLog.after(tx, told, null, null, null, MAX_CHANGES);
          });
      tellsSince = next.isEmpty() ? 0 : System.nanoTime();
      tells = messages(next).allMatch(it -> send.apply(it) instanceof SendResult.Accepted);
      tellsSince = 0;
      if (next.isEmpty() || !tells) {
        return;
      }
      database.write(tx -> tx.update("update announced set seq = ?", next.getLast().change()));
    }
  }

  private Stream<OutgoingMessage> messages(List<Change> changes) {
    Map<String, List<Change>> byProject = changes.stream().collect(groupingBy(Change::project));
    return changes.stream()
        .flatMap(change -> {
          List<Change> all = byProject.getOrDefault(change.project(), List.of());
          Channel followers = Channel.topic("horace." + change.project());
          Stream<OutgoingMessage> event = Stream.empty();
          if (all.size() <= MANY) {
            ObjectNode payload = Json.object().put("event", "changed");
            payload.setAll(Json.mapper().<ObjectNode>valueToTree(change));
            event = Stream.of(message(change, "changed", OutgoingMessage.on(followers, payload)));
          } else if (all.getLast().equals(change)) {
            ObjectNode payload =
                Json.object().put("event", "many").put("project", change.project());
            payload.put("from", all.getFirst().change()).put("to", change.change());
            event = Stream.of(message(change, "many", OutgoingMessage.on(followers, payload)));
          }
          return Stream.concat(event, unblocked(change));
        });
  }

  /** Messages to the agents that a checkpoint lets begin. */
  private Stream<OutgoingMessage> unblocked(Change change) {
    ObjectNode detail = change.detail() == null ? Json.object() : change.detail();
    ObjectNode payload = Json.object().put("event", "checkpoint").put("priority", "high");
    payload.put("checkpoint_id", change.subject()).set("decision", detail.path("decision"));
    payload.put("project", change.project()).put("change", change.change());
    return detail
        .path("unblocks")
        .valueStream()
        .map(JsonNode::asText)
        .map(agent -> message(change, "to " + agent, OutgoingMessage.to(agent, payload)));
  }

  private OutgoingMessage message(Change change, String what, OutgoingMessage message) {
    return message
        .withMessageId(id("%s %d %s".formatted(store, change.change(), what)))
        .withConversation(id(store + " " + change.project()))
        .withCorrelation(change.correlation());
  }

  private static UUID id(String of) {
    return UUID.nameUUIDFromBytes(of.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
