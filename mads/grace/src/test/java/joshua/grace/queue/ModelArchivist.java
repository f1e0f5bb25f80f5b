package joshua.grace.queue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import joshua.grace.queue.Handover.Fetch;
import joshua.grace.queue.Handover.Receipt;
import joshua.kernel.Json;

/**
 * An archivist of mail to one client, which reads and commits what it has heard when it is told.
 */
final class ModelArchivist {
  private static final int PAGE = 5;

  boolean runs = true;

  /** The numbers of mail that it hasn't kept. */
  final Set<Integer> missed = new HashSet<>();

  private final List<Row> mail = new ArrayList<>();
  private final Set<String> given = new HashSet<>();
  private final Set<String> collected = new HashSet<>();
  private final Deque<Runnable> inbox = new ArrayDeque<>();
  private final Deque<Integer> unread = new ArrayDeque<>(); // mail in the inbox

  /** A message. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Row(int number, String id, Instant at, byte[] body) {}

  void killOrStart() {
    runs = !runs;
    missed.addAll(unread);
    unread.clear();
    inbox.clear();
  }

  void hear(Row row) {
    if (runs) {
      unread.add(row.number());
      inbox.add(() -> {
        mail.add(row);
        unread.remove();
      });
    } else {
      missed.add(row.number());
    }
  }

  /** Takes a call in its place among the messages. */
  void take(Runnable call) {
    if (runs) {
      inbox.add(call);
    }
  }

  void process(int most) {
    for (int i = 0; i < most && runs && !inbox.isEmpty(); i++) {
      inbox.remove().run();
    }
  }

  JsonNode page(Fetch fetch) {
    collected.addAll(fetch.collected());
    List<String> ids = mail.stream().map(Row::id).toList();
    List<String> had = ids.subList(0, ids.indexOf(fetch.had()) + 1);
    had.stream().filter(id -> given.contains(id) || id.equals(fetch.had())).forEach(collected::add);
    given.addAll(had);
    if (had.isEmpty() && fetch.had() != null && fetch.since() != null) { // it was missed here
      mail.stream()
          .filter(row -> !row.at().isAfter(fetch.since()))
          .forEach(row -> given.add(row.id()));
    }
    List<Row> waiting = mail.stream().filter(row -> !collected.contains(row.id())).toList();
    ObjectNode answer =
        Json.object().put("remaining", Math.max(0, waiting.size() - PAGE)).put("complete", true);
    waiting.stream()
        .limit(PAGE)
        .forEach(row -> {
          answer.withArrayProperty("messages").add(Json.parseTrusted(row.body()));
          if (given.contains(row.id())) {
            answer.withArrayProperty("given").add(row.id());
          }
        });
    return answer;
  }

  void receive(Map<String, Receipt> receipts) {
    List<String> ids = mail.stream().map(Row::id).toList();
    receipts.forEach((id, receipt) -> {
      if (ids.contains(id)) {
        (receipt.isCollected() ? collected : given).add(id);
      }
    });
  }
}
