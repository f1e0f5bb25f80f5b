package joshua.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import joshua.kernel.Json;
import joshua.kernel.TimedWait;

/**
 * A scenario in which clients of Grace call tools by MCP over HTTP, one call after the other: each
 * sends a message to itself and polls it.
 */
final class McpCalls implements BenchmarkScenario {
  private static final int CLIENTS = 4;
  private static final int CALLS_EACH_TURN = 2;
  private static final int WAIT_MILLIS = 10_000;

  private final TimedWait timedWait;

  McpCalls(TimedWait timedWait) {
    this.timedWait = timedWait;
  }

  @Override
  public String name() {
    return "mcp_calls";
  }

  @Override
  public List<BenchmarkFigure> run(MeasuredGroup group, WorkLimit limit, String marker)
      throws InterruptedException {
    McpCaller mcp = new McpCaller(group.port("grace"));
    LatencyRecorder sends = new LatencyRecorder();
    LatencyRecorder polls = new LatencyRecorder();
    List<LoopbackClient> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new LoopbackClient(mcp, "bench-mcp-%s-%d".formatted(marker, i), sends, polls));
    }
    WorkSpan span = new WorkSpan(limit, timedWait);
    SpanWorker worker =
        client -> {
          OptionalInt number = span.next();
          while (number.isPresent()) {
            clients.get(client).sendAndPoll(number.getAsInt());
            span.end();
            number = span.next();
          }
        };
    span.run(CLIENTS, worker);
    for (LoopbackClient client : clients) {
      client.leave();
    }
    List<BenchmarkFigure> figures = new ArrayList<>();
    figures.add(BenchmarkFigure.rate("calls_per_second", span.perSecond() * CALLS_EACH_TURN));
    figures.addAll(sends.figures("send"));
    figures.addAll(polls.figures("poll"));
    return figures;
  }

  /** A client that sends to itself; for one thread. */
  private static final class LoopbackClient {
    private final McpCaller mcp;
    private final String id;
    private final LatencyRecorder sends;
    private final LatencyRecorder polls;
    private String cursor;

    LoopbackClient(McpCaller mcp, String id, LatencyRecorder sends, LatencyRecorder polls)
        throws InterruptedException {
      this.mcp = mcp;
      this.id = id;
      this.sends = sends;
      this.polls = polls;
      ObjectNode subscribe = Json.object().put("client_id", id);
      subscribe.putArray("topics").add(channel());
      cursor = mcp.call("grace_subscribe", subscribe).path("cursor").asText();
    }

    private String channel() {
      return "mad.direct." + id;
    }

    void sendAndPoll(int number) throws InterruptedException {
      ObjectNode send = Json.object().put("client_id", id).put("channel", channel());
      send.putObject("payload").put("number", number);
      long began = System.nanoTime();
      JsonNode sent = mcp.call("grace_send_message", send);
      long middle = System.nanoTime();
      JsonNode polled = poll(WAIT_MILLIS);
      long ended = System.nanoTime();
      JsonNode message = polled.path("messages").path(0);
      if (polled.path("messages").size() != 1
          || !polled.path("gap").isNull()
          || !message.path("message_id").equals(sent.path("message_id"))
          || message.at("/payload/number").asInt(-1) != number) {
        throw new BenchmarkException(
            "%s was sent as number %d, and the poll after it gave %s"
                .formatted(sent.path("message_id").asText(), number, polled));
      }
      sends.record(middle - began);
      polls.record(ended - middle);
    }

    private JsonNode poll(int waitMillis) throws InterruptedException {
      ObjectNode poll = Json.object().put("client_id", id).put("cursor", cursor);
      JsonNode polled = mcp.call("grace_poll_messages", poll.put("wait_ms", waitMillis));
      cursor = polled.path("cursor").asText();
      return polled;
    }

    /** Checks that nothing came twice, and unsubscribes. */
    void leave() throws InterruptedException {
      JsonNode rest = poll(0);
      if (!rest.path("messages").isEmpty() || !rest.path("gap").isNull()) {
        throw new BenchmarkException(id + " had taken every message, and then polled " + rest);
      }
      mcp.call("grace_unsubscribe", Json.object().put("client_id", id));
    }
  }
}
