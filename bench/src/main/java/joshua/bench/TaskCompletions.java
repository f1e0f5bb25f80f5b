package joshua.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import joshua.kernel.TimedWait;

/**
 * A scenario in which a client of Fiedler submits questions that need no model, with a bounded
 * number of tasks in progress, and is notified of the end of each on its direct channel.
 */
final class TaskCompletions implements BenchmarkScenario {
  private static final int UNDER_WAY = 16;
  private static final String PROMPT = "help";

  /** Version 4 and the variant of RFC 9562; the lowest 32 bits are a task's number. */
  private static final long UUID_HIGH = 0x00000000_0000_4000L;

  private static final long UUID_LOW = 0x8000_0000_0000_0000L;

  private final TimedWait timedWait;

  TaskCompletions(TimedWait timedWait) {
    this.timedWait = timedWait;
  }

  @Override
  public String name() {
    return "tasks";
  }

  @Override
  public List<BenchmarkFigure> run(MeasuredGroup group, WorkLimit limit, String marker)
      throws InterruptedException {
    String requester = "bench-tasks-" + marker;
    TaskRequests requests = new TaskRequests(new WorkSpan(limit, timedWait), limit.count());
    try (ChannelListener listener =
            new ChannelListener(
                group::redis, "mad.direct." + requester, requests::takeNotification);
        FrameClient client =
            new FrameClient(group.port("fiedler"), requests::takeAnswer, requests.span::fail)) {
      requests.span.run(1, _ -> requests.sendAll(client, requester));
      listener.awaitEverything();
      requests.check.verify();
    }
    List<BenchmarkFigure> figures = new ArrayList<>();
    figures.add(BenchmarkFigure.rate("tasks_per_second", requests.span.perSecond()));
    figures.addAll(requests.accepted.figures("accepted"));
    figures.addAll(requests.completed.figures("completed"));
    return figures;
  }

  /**
   * The tasks in progress; answers and notifications arrive on threads of their own, in any order.
   */
  private static final class TaskRequests {
    final WorkSpan span;
    final DeliveryCheck check = new DeliveryCheck();
    final LatencyRecorder accepted = new LatencyRecorder();
    final LatencyRecorder completed = new LatencyRecorder();
    private final Semaphore places = new Semaphore(UNDER_WAY);
    private final AtomicReference<String> text = new AtomicReference<>("");
    private final AtomicLongArray sentAt;

    TaskRequests(WorkSpan span, int most) {
      this.span = span;
      this.sentAt = new AtomicLongArray(most);
    }

    void sendAll(FrameClient client, String requester) throws InterruptedException {
      while (span.take(places)) {
        OptionalInt number = span.next();
        if (number.isEmpty()) {
          return;
        }
        sentAt.set(number.getAsInt(), System.nanoTime());
        client.send(frame(requester, number.getAsInt()));
      }
    }

    private static String frame(String requester, int number) {
      return """
      {"tool_name":"fiedler_converse","request_id":%d,\
      "tool_input":{"prompt":"%s","requester_id":"%s","correlation_id":"%s"}}\
      """
          .formatted(number, PROMPT, requester, new UUID(UUID_HIGH, UUID_LOW | number));
    }

    void takeAnswer(JsonNode answer) {
      if (!answer.path("status").asText().equals("pending")) {
        span.fail("a question was refused: " + answer);
        return;
      }
      accepted.record(System.nanoTime() - sentAt.get(answer.path("request_id").asInt(-1)));
      check.accept(answer.path("task_id").asText());
    }

    void takeNotification(String envelope) {
      JsonNode message = ChannelListener.parse(envelope);
      JsonNode payload = message.path("payload");
      String answer = payload.path("result").path("text").asText();
      text.compareAndSet("", answer);
      if (!payload.path("status").asText().equals("COMPLETED")
          || answer.isEmpty()
          || !answer.equals(text.get())) {
        span.fail("a task did not complete as the others did: " + envelope);
        return;
      }
      try {
        int number =
            (int)
                UUID.fromString(message.path("correlation_id").asText()).getLeastSignificantBits();
        completed.record(System.nanoTime() - sentAt.get(number));
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        span.fail("a notification has the correlation_id of no question: " + envelope);
        return;
      }
      check.receive(payload.path("task_id").asText());
      span.end();
      places.release();
    }
  }
}
