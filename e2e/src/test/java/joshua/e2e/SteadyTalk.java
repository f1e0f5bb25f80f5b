package joshua.e2e;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import joshua.kernel.TimedWait;

/**
 * A sender, a listener and a requester of tasks, all at once and through containers that die: each
 * reconnects until it is accepted, and keeps records. The listener polls with cursors, and
 * subscribes again if its queue is gone.
 */
final class SteadyTalk implements AutoCloseable {
  private static final Duration CONNECTS_WITHIN = Duration.ofSeconds(120);
  private static final Duration EVERY = Duration.ofMillis(20);
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(120);
  private static final String TOPIC = "mad.topic.steady";

  /** A message that was accepted. */
  record Accepted(Instant begun, Instant answered) {}

  /** When messages may have been missed, as reported to the listener. */
  record Told(String reason, Instant since, Instant until) {
    boolean covers(Accepted message) {
      return !since.isAfter(message.answered()) && !message.begun().isAfter(until);
    }
  }

  private final ContainerGroup group;
  private final Map<Integer, Accepted> accepted = new ConcurrentSkipListMap<>();
  private final Map<Integer, Instant> heard = new ConcurrentHashMap<>();
  private final Map<String, Instant> tasks = new ConcurrentHashMap<>();
  private final List<Told> told = new CopyOnWriteArrayList<>();
  private final List<String> unexpected = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final TimedWait timedWait = TimedWait.system();
  private final Future<?> speaking;
  private final Future<?> ordering;
  private final Future<?> listening;
  private volatile boolean subscribed;
  private volatile boolean said;
  private volatile boolean over;

  SteadyTalk(ContainerGroup group) {
    this.group = group;
    String speaker = group.tokenFor("speaker");
    String listener = group.tokenFor("listener");
    listening = threads.submit(() -> new Ear(listener).listen());
    await().atMost(CONNECTS_WITHIN).until(() -> subscribed);
    speaking = threads.submit(() -> speak(speaker));
    ordering = threads.submit(() -> order(speaker));
  }

  private Void speak(String token) throws InterruptedException {
    int n = 0;
    while (!said) {
      try (FrameSocketClient socket = connect("grace", token)) {
        while (!said) {
          Instant begun = Instant.now();
          n++;
          JsonNode answer = socket.send("speaker", TOPIC, "{'n':%d}".formatted(n));
          if (succeeded(answer)) {
            accepted.put(n, new Accepted(begun, Instant.now()));
          }
          timedWait.pause(EVERY);
        }
      } catch (AssertionError _) {
        // The socket is gone, and whether the message was sent is unknown: it doesn't count as
        // accepted.
        continue;
      }
    }
    return null;
  }

  private Void order(String token) throws InterruptedException {
    while (!said) {
      try (FrameSocketClient socket = connect("fiedler", token)) {
        while (!said) {
          JsonNode answer =
              socket.call("fiedler_converse", "{'prompt':'tasks','requester_id':'speaker'}");
          if (answer.path("status").asText().equals("pending")) {
            tasks.put(answer.path("task_id").asText(), Instant.now());
          }
          timedWait.pause(EVERY.multipliedBy(5));
        }
      } catch (AssertionError _) {
        // Nothing was accepted, as far as the requester can know.
        continue;
      }
    }
    return null;
  }

  private FrameSocketClient connect(String mad, String token) {
    return await()
        .atMost(CONNECTS_WITHIN)
        .pollInterval(Duration.ofMillis(100))
        .ignoreExceptions()
        .until(() -> FrameSocketClient.to(group.port(mad), token), socket -> true);
  }

  private static boolean succeeded(JsonNode answer) {
    return answer.path("status").asText().equals("success");
  }

  /** The listener, with its current cursor. */
  private final class Ear {
    private final String token;
    private String cursor = "";
    private Optional<JsonNode> gone = Optional.empty();

    Ear(String token) {
      this.token = token;
    }

    void listen() {
      while (!over) {
        try (FrameSocketClient socket = connect("grace", token)) {
          while (!over) {
            if (cursor.isEmpty()) {
              subscribe(socket);
            } else {
              poll(socket);
            }
          }
        } catch (AssertionError _) {
          // The socket is gone; unacknowledged messages come again.
          continue;
        }
      }
    }

    private void subscribe(FrameSocketClient socket) {
      JsonNode answer = socket.subscribe("listener", TOPIC);
      if (succeeded(answer)) {
        cursor = answer.path("cursor").asText();
        gone.ifPresent(gap -> tell(gap, Instant.now()));
        gone = Optional.empty();
        subscribed = true;
      }
    }

    private void poll(FrameSocketClient socket) {
      JsonNode answer =
          socket.call(
              "grace_poll_messages",
              "{'client_id':'listener','cursor':'%s','wait_ms':500,'max_messages':2000}"
                  .formatted(cursor));
      if (succeeded(answer)) {
        cursor = answer.path("cursor").asText();
        if (answer.path("gap").isObject()) {
          tell(answer.path("gap"), Instant.now());
        }
        answer
            .path("messages")
            .forEach(message -> heard.put(message.at("/payload/n").asInt(), Instant.now()));
      } else if (answer.path("code").asText().equals("not_subscribed")) {
        gone = Optional.of(answer.path("gap"));
        cursor = "";
      } else if (!answer.path("code").asText().equals("bus_unavailable")) {
        unexpected.add(answer.toString());
      }
    }

    private void tell(JsonNode gap, Instant until) {
      told.add(
          new Told(gap.path("reason").asText(), Instant.parse(gap.path("since").asText()), until));
    }
  }

  /**
   * Waits until a message and a task have been accepted, and the message received, after a moment.
   */
  void awaitGoingOnSince(Instant moment) {
    await("talk since " + moment)
        .atMost(CONNECTS_WITHIN)
        .until(() ->
            tasks.values().stream().anyMatch(moment::isBefore)
                && accepted.entrySet().stream()
                    .anyMatch(message ->
                        message.getValue().begun().isAfter(moment)
                            && heard.containsKey(message.getKey())));
  }

  /** Lets all finish: the listener once it has received the last accepted message. */
  void end() throws Exception {
    said = true;
    speaking.get(ENDS_WITHIN.toSeconds(), TimeUnit.SECONDS);
    ordering.get(ENDS_WITHIN.toSeconds(), TimeUnit.SECONDS);
    int last = accepted.keySet().stream().max(Integer::compare).orElseThrow();
    await().atMost(ENDS_WITHIN).until(() -> heard.containsKey(last));
    over = true;
    listening.get(ENDS_WITHIN.toSeconds(), TimeUnit.SECONDS);
  }

  /** Messages accepted, not received, and not reported as missed. */
  List<String> silentlyLost() {
    List<String> lost = new ArrayList<>();
    accepted.forEach((n, message) -> {
      if (!heard.containsKey(n) && told.stream().noneMatch(gap -> gap.covers(message))) {
        lost.add(n + " " + message + ", told " + told);
      }
    });
    return lost;
  }

  long missedAndTold() {
    return accepted.keySet().stream().filter(n -> !heard.containsKey(n)).count()
        - silentlyLost().size();
  }

  int accepted() {
    return accepted.size();
  }

  List<Told> told() {
    return List.copyOf(told);
  }

  /** The tasks that were accepted. */
  List<String> tasks() {
    return List.copyOf(tasks.keySet());
  }

  /** Answers that must not occur. */
  List<String> unexpected() {
    return List.copyOf(unexpected);
  }

  @Override
  public void close() {
    said = true;
    over = true;
    threads.shutdownNow();
  }
}
