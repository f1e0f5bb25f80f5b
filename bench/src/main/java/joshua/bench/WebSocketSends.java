package joshua.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLongArray;
import joshua.kernel.TimedWait;

/**
 * A scenario in which clients of Grace send by frames, each with a bounded number of sends in
 * progress.
 */
final class WebSocketSends implements BenchmarkScenario {
  private static final int CLIENTS = 4;
  private static final int UNDER_WAY_EACH = 16;
  private static final String TEXT = "a message of about the usual length, which is not much";

  private final TimedWait timedWait;

  WebSocketSends(TimedWait timedWait) {
    this.timedWait = timedWait;
  }

  @Override
  public String name() {
    return "websocket_sends";
  }

  @Override
  public List<BenchmarkFigure> run(MeasuredGroup group, WorkLimit limit, String marker)
      throws InterruptedException {
    String channel = "mad.topic.bench-sends-" + marker;
    DeliveryCheck check = new DeliveryCheck();
    LatencyRecorder latency = new LatencyRecorder();
    try (ChannelListener listener =
        new ChannelListener(
            group::redis, channel, text -> check.receive(ChannelListener.messageId(text)))) {
      WorkSpan span = new WorkSpan(limit, timedWait);
      AtomicLongArray sentAt = new AtomicLongArray(limit.count());
      List<FrameClient> clients = new ArrayList<>();
      List<Semaphore> places = new ArrayList<>();
      try {
        for (int i = 0; i < CLIENTS; i++) {
          Semaphore own = new Semaphore(UNDER_WAY_EACH);
          places.add(own);
          clients.add(
              new FrameClient(
                  group.port("grace"),
                  answer -> {
                    int number = answer.path("request_id").asInt(-1);
                    latency.record(System.nanoTime() - sentAt.get(number));
                    accept(answer, check, span);
                    own.release();
                  },
                  span::fail));
        }
        SpanWorker worker =
            client -> {
              while (span.take(places.get(client))) {
                OptionalInt number = span.next();
                if (number.isEmpty()) {
                  return;
                }
                sentAt.set(number.getAsInt(), System.nanoTime());
                clients.get(client).send(frame(channel, client, number.getAsInt()));
              }
            };
        span.run(CLIENTS, worker);
      } finally {
        clients.forEach(FrameClient::close);
      }
      listener.awaitEverything();
      check.verify();
      List<BenchmarkFigure> figures = new ArrayList<>();
      figures.add(BenchmarkFigure.rate("sends_per_second", span.perSecond()));
      figures.addAll(latency.figures("answer"));
      return figures;
    }
  }

  private static void accept(JsonNode answer, DeliveryCheck check, WorkSpan span) {
    if (!answer.path("status").asText().equals("success")) {
      span.fail("a send was refused: " + answer);
      return;
    }
    check.accept(answer.path("message_id").asText());
    span.end();
  }

  private static String frame(String channel, int client, int number) {
    return """
    {"tool_name":"grace_send_message","request_id":%d,"tool_input":{"client_id":"bench-%d","channel":"%s",\
    "payload":{"number":%d,"text":"%s"}}}\
    """
        .formatted(number, client, channel, number, TEXT);
  }
}
