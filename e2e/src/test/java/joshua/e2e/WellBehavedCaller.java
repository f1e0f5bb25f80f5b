package joshua.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import joshua.kernel.TimedWait;

/**
 * A client that behaves, whatever others do: it sends a message to itself, polls it, and repeats
 * that, timing each call. On a platform thread and a blocking socket, so that it measures the
 * service and not the program that it runs in.
 */
final class WellBehavedCaller implements AutoCloseable {
  private static final Duration BETWEEN_ROUNDS = Duration.ofMillis(10);
  private static final int TROUBLES = 3;

  /** How this client calls; over MCP it returns the tool's output or its error object. */
  @FunctionalInterface
  interface Transport {
    JsonNode call(String tool, String arguments);
  }

  /** The calls in a period. */
  record Timing(long[] sortedNanos) {
    int calls() {
      return sortedNanos.length;
    }

    /** The percentage of the calls that took no longer. */
    Duration within(double percent) {
      int index = (int) Math.ceil(sortedNanos.length * percent / 100) - 1;
      return Duration.ofNanos(sortedNanos[Math.max(0, index)]);
    }

    @Override
    public String toString() {
      return "%d calls, p50 %.1f, p99 %.1f, all within %.1f ms"
          .formatted(calls(), millis(within(50)), millis(within(99)), millis(within(100)));
    }

    private static double millis(Duration duration) {
      return duration.toNanos() / 1e6;
    }
  }

  private final String name;
  private final Transport transport;
  private final Duration betweenRounds;
  private final AtomicLong last = new AtomicLong();
  private final Queue<Long> nanos = new ConcurrentLinkedQueue<>();
  private final List<String> troubles = new CopyOnWriteArrayList<>();
  private final Thread thread;
  private volatile boolean closed;

  WellBehavedCaller(String name, Transport transport) {
    this(name, transport, BETWEEN_ROUNDS);
  }

  WellBehavedCaller(String name, Transport transport, Duration betweenRounds) {
    this.name = name;
    this.transport = transport;
    this.betweenRounds = betweenRounds;
    timed("grace_subscribe", "{'client_id':'%s','topics':['mad.direct.%s']}".formatted(name, name));
    this.thread = Thread.ofPlatform().name(name).daemon().start(this::live);
  }

  private void live() {
    try {
      while (!closed) {
        try {
          sendAndPoll(last.incrementAndGet());
        } catch (AssertionError e) {
          // Refused; a well-behaved client tries again.
          trouble(e.toString());
        }
        TimedWait.system().pause(betweenRounds);
      }
    } catch (RuntimeException | InterruptedException e) {
      trouble(e.toString());
    }
  }

  private void sendAndPoll(long n) {
    JsonNode sent =
        timed(
            "grace_send_message",
            "{'client_id':'%s','channel':'mad.direct.%s','payload':{'n':%d}}"
                .formatted(name, name, n));
    JsonNode polled =
        timed("grace_poll_messages", "{'client_id':'%s','wait_ms':10000}".formatted(name));
    if (polled.path("messages").path(0).path("payload").path("n").asLong() != n) {
      trouble("after %s came %s".formatted(sent, polled));
    }
  }

  private JsonNode timed(String tool, String arguments) {
    long began = System.nanoTime();
    try {
      return transport.call(tool, arguments);
    } finally {
      nanos.add(System.nanoTime() - began);
    }
  }

  private void trouble(String what) {
    if (!closed && troubles.size() < TROUBLES) {
      troubles.add(name + ": " + what);
    }
  }

  /** The calls since this was last called. */
  Timing timing() {
    List<Long> calls = new ArrayList<>();
    for (Long one = nanos.poll(); one != null; one = nanos.poll()) {
      calls.add(one);
    }
    return new Timing(calls.stream().mapToLong(Long::longValue).sorted().toArray());
  }

  int calls() {
    return nanos.size();
  }

  /** The errors found. */
  List<String> troubles() {
    return troubles;
  }

  @Override
  public String toString() {
    return name;
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }

  /** Calls over MCP 2026-07-28 and HTTP. */
  static Transport http(RawWeb web) {
    return http(web, UnaryOperator.identity());
  }

  /** The same with further headers, for instance those of a token. */
  static Transport http(RawWeb web, UnaryOperator<McpText> headers) {
    return (tool, arguments) -> {
      McpText call = headers.apply(McpText.modernCall(1, tool, arguments));
      String head = web.say(call.post()).head();
      String body = web.body(head);
      if (!head.startsWith("HTTP/1.1 200 ")) {
        throw new AssertionError(head + body);
      }
      return McpText.output(FrameSocketClient.parse(body));
    };
  }

  /** Calls over MCP 2026-07-28 and a WebSocket. */
  static Transport socket(RawWeb web) {
    return (tool, arguments) ->
        McpText.output(
            FrameSocketClient.parse(
                web.text(McpText.modernCall(1, tool, arguments).body()).read().text()));
  }

  /** Calls in design frames. */
  static Transport frames(RawWeb web) {
    return (tool, arguments) ->
        FrameSocketClient.parse(
            web.text(
                    "{\"tool_name\":\"%s\",\"tool_input\":%s}"
                        .formatted(tool, arguments.replace('\'', '"')))
                .read()
                .text());
  }
}
