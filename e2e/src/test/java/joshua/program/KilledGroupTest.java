package joshua.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import joshua.integration.McpClient;
import joshua.kernel.Json;
import joshua.program.Program.Run;
import joshua.testing.FreePort;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole group, with its Redis, is killed at random moments under traffic: what was queued
 * arrives or a gap tells of it, and nothing comes twice unmarked.
 */
@Tag("slow")
class KilledGroupTest {
  private static final int KILLS = Integer.getInteger("joshua.group.kills", 10);
  private static final int LONGEST_LIFE_MS = 1_500;
  private static final List<String> RECEIVERS = List.of("ann", "bob");
  private static final List<String> SENDERS = List.of("carol", "dave");
  private static final int THE_END = Integer.MAX_VALUE;
  private static final int POLLS_AFTER_END = 60;

  private final long seed = Long.getLong("joshua.seed", new Random().nextLong());
  private final Random random = new Random(seed);

  /** What was said to be queued, by "sender receiver". */
  private final Map<String, Set<Integer>> queued = new ConcurrentHashMap<>();

  private final Map<String, Inbox> inboxes = new ConcurrentHashMap<>();
  private final int grace = FreePort.next();
  private volatile boolean over;

  /** What a receiver has got, and been told. */
  private final class Inbox {
    private final String name;
    private final Map<String, Integer> last = new HashMap<>();
    private final Map<String, Integer> toldUpTo = new HashMap<>();
    private final Set<String> got = new HashSet<>();
    private final Set<String> missing = new HashSet<>(); // and no gap told of it
    private final Set<String> ended = ConcurrentHashMap.newKeySet();
    private final List<String> faults = new ArrayList<>();
    private int received;
    private int gaps;

    private Inbox(String name) {
      this.name = name;
    }

    private Set<Integer> queued(String sender) {
      return queued.getOrDefault(sender + " " + name, Set.of());
    }

    private void take(JsonNode answer) {
      if (answer.path("gap").isObject()) {
        gaps++;
        for (String sender : SENDERS) { // it may be of any that was sent until now
          queued(sender).forEach(each -> toldUpTo.merge(sender, each, Math::max));
        }
      }
      for (JsonNode message : answer.path("messages")) {
        String sender = message.path("sender_id").asText();
        if (SENDERS.contains(sender)) {
          take(sender, message.at("/payload/n").asInt(), answer.path("redelivered").asBoolean());
        }
      }
    }

    private void take(String sender, int number, boolean redelivered) {
      received++;
      String message = sender + " " + number;
      if (!got.add(message)) {
        if (!redelivered && number != THE_END) { // which is said until it is known to be queued
          faults.add("%s got %s twice, unmarked".formatted(name, message));
        }
        return;
      }
      missing.remove(message);
      int before = last.getOrDefault(sender, -1);
      if (number < before) {
        return; // it was kept, and couldn't be fetched before the later ones came
      }
      int told = toldUpTo.getOrDefault(sender, -1);
      queued(sender).stream()
          .filter(each -> each > Math.max(before, told) && each < number)
          .forEach(each -> missing.add(sender + " " + each));
      last.put(sender, number);
      if (number == THE_END) {
        ended.add(sender);
      }
    }
  }

  @Test
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  void nothingIsLostUntold(@TempDir Path directory) throws Exception {
    System.out.println("seed " + seed);
    Map<String, String> settings = new HashMap<>(Program.FREE_PORTS);
    settings.put("JOSHUA_GRACE_PORT", Integer.toString(grace));
    settings.put("JOSHUA_RATE_LIMIT", "10000");
    List<Thread> clients = new ArrayList<>();
    try (Program program = new Program(directory, settings)) {
      RECEIVERS.forEach(name -> clients.add(Thread.ofVirtual().start(() -> receive(name))));
      SENDERS.forEach(name -> clients.add(Thread.ofVirtual().start(() -> send(name))));
      for (int i = 0; i < KILLS; i++) {
        Run run = program.start("up");
        run.awaitSaid("./joshua stop");
        run.killAfter(random.nextInt(LONGEST_LIFE_MS));
      }
      program.start("up").awaitSaid("./joshua stop");
      over = true;
      for (Thread client : clients) {
        client.join();
      }
      assertThat(inboxes.values())
          .as("seed " + seed)
          .allSatisfy(inbox -> assertThat(inbox.faults).isEmpty())
          .allSatisfy(inbox -> assertThat(inbox.missing).as("%s lost", inbox.name).isEmpty());
      System.out.printf(
          "%d kills; %d queued, %d received, %d gaps%n",
          KILLS,
          queued.values().stream().mapToInt(Set::size).sum(),
          inboxes.values().stream().mapToInt(inbox -> inbox.received).sum(),
          inboxes.values().stream().mapToInt(inbox -> inbox.gaps).sum());
    }
  }

  private void receive(String name) {
    Inbox inbox = inboxes.computeIfAbsent(name, Inbox::new);
    String cursor = null;
    int more = POLLS_AFTER_END; // what was kept may come behind what came later
    while (!inbox.ended.containsAll(SENDERS) || (!inbox.missing.isEmpty() && more-- > 0)) {
      JsonNode answer =
          call("grace_poll_messages", "client_id", name, "cursor", cursor, "wait_ms", 500);
      if (answer.path("code").asText().equals("not_subscribed")) {
        inbox.take(answer);
        List<String> topics = List.of("mad.direct." + name);
        answer = call("grace_subscribe", "client_id", name, "topics", topics, "cursor", cursor);
      }
      inbox.take(answer);
      cursor = answer.path("cursor").asText(cursor);
    }
  }

  private void send(String name) {
    int next = 0;
    boolean ends = false;
    Set<String> open = new HashSet<>(RECEIVERS);
    while (!open.isEmpty()) {
      ends |= over;
      int number = ends ? THE_END : next++;
      pause();
      for (String receiver : List.copyOf(open)) {
        Object payload = Map.of("n", number);
        Object[] message = {
          "client_id", name, "channel", "mad.direct." + receiver, "payload", payload
        };
        JsonNode answer = call("grace_send_message", message);
        if (answer.path("queues").asInt() > 0) {
          String to = name + " " + receiver;
          queued.computeIfAbsent(to, _ -> new ConcurrentSkipListSet<>()).add(number);
          if (ends) {
            open.remove(receiver);
          }
        }
      }
    }
  }

  /** Calls a tool by MCP; nothing if there is nobody who answers. */
  private JsonNode call(String tool, @Nullable Object... members) {
    try {
      JsonNode result = new McpClient(grace).result(tool, members);
      return result.path("isError").asBoolean()
          ? Json.object().put("code", result.at("/content/0/text").asText().split(":", 2)[0])
          : result.path("structuredContent");
    } catch (IOException | Json.MalformedJsonException e) {
      pause();
      return Json.object();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** So that the machine has time for the group. */
  private static void pause() {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
  }
}
