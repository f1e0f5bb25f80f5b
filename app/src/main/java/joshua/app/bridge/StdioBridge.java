package joshua.app.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.RemoteService;
import joshua.network.RemoteService.NotServedException;
import joshua.network.http.McpHeaders;
import joshua.network.mcp.JsonRpc;
import joshua.network.mcp.JsonRpc.Notification;
import joshua.network.mcp.JsonRpc.Request;
import joshua.network.mcp.McpServer;
import joshua.network.mcp.ProtocolVersions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * MCP on two streams, passed on to a service over HTTP message by message. There is no connection
 * to keep: a service that is away is awaited, and after its next start it is told again what an
 * older client said of itself, and what it watches. It ends with its input, when calls under way
 * have been answered; at once when its output can't be written; and some seconds after its parent.
 */
final class StdioBridge {
  /** Some twenty seconds. */
  private static final int TRIES = 25;

  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long MAX_PAUSE_MILLIS = 1_000;
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(50);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(2);
  private static final Duration QUIET = Duration.ofSeconds(10);
  private static final int BYTE_ORDER_MARK = '\uFEFF';
  private static final Logger log = LoggerFactory.getLogger(StdioBridge.class);

  private final RemoteService service;
  private final OutputStream out;
  private final BooleanSupplier orphaned;
  private final ReentrantLock lock = new ReentrantLock();
  private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Map<JsonNode, Call> running = new ConcurrentHashMap<>();
  private final Map<String, String> watched = new ConcurrentHashMap<>();
  private volatile Map<String, String> session = Map.of();
  private volatile @Nullable String initialize;
  private volatile Future<?> listening = CompletableFuture.completedFuture(null);
  private volatile long lastTraffic = System.nanoTime();
  private volatile boolean broken;

  /** A request under way; one that waits for messages would take them from a later reader. */
  private record Call(Thread thread, boolean waitsForMessages) {}

  /** A bridge; {@code orphaned} says whether the process that started this one has ended. */
  StdioBridge(RemoteService service, OutputStream out, BooleanSupplier orphaned) {
    this.service = service;
    this.out = out;
    this.orphaned = orphaned;
  }

  /** Passes messages on until there are no more, or nobody is left to read an answer. */
  void run(InputStream in) throws InterruptedException {
    Thread.ofPlatform().daemon().name("input").start(() -> read(in));
    while (!ended.await(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
      if (isAbandoned()) {
        ended.countDown();
      }
    }
    listening.cancel(true);
    long end = System.nanoTime() + ANSWER_WITHIN.toNanos();
    running.values().stream()
        .filter(Call::waitsForMessages)
        .forEach(call -> call.thread().interrupt());
    for (Call call : running.values()) {
      while (call.thread().isAlive() && !isAbandoned() && System.nanoTime() < end) {
        call.thread().join(LOOK_EVERY.toMillis());
      }
    }
    running.values().forEach(call -> call.thread().interrupt());
    for (Call call : running.values()) {
      call.thread().join(LOOK_EVERY.toMillis()); // it refuses its request
    }
  }

  private boolean isAbandoned() {
    return broken
        || (orphaned.getAsBoolean()
            && (running.isEmpty() || System.nanoTime() - lastTraffic > QUIET.toNanos()));
  }

  private void read(InputStream in) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      lines.mark(1);
      if (lines.read() != BYTE_ORDER_MARK) {
        lines.reset();
      }
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        lastTraffic = System.nanoTime();
        if (!line.isBlank()) {
          accept(line);
        }
      }
    } catch (IOException e) {
      log.warn("the input can't be read any more", e);
    } finally {
      ended.countDown();
    }
  }

  private void accept(String line) {
    switch (JsonRpc.parse(line.getBytes(StandardCharsets.UTF_8))) {
      case JsonRpc.Malformed malformed ->
          write(McpServer.refusal(malformed.id(), malformed.error()).message().toString());
      case JsonRpc.Response _ -> calls.submit(() -> service.post(line, session, said -> {}));
      case Notification notification -> notified(notification);
      case Request request -> begin(request, line);
    }
  }

  private void notified(Notification notification) {
    switch (notification.method()) {
      case "notifications/cancelled" -> {
        Call cancelled = running.remove(notification.params().path("requestId"));
        if (cancelled != null) {
          cancelled.thread().interrupt();
        }
      }
      case "notifications/initialized" -> listening = calls.submit(this::listen);
      default -> log.debug("left out: {}", notification.method());
    }
  }

  private void begin(Request request, String line) {
    String uri = request.params().path("uri").asText();
    switch (request.method()) {
      case "initialize" -> initialize = line;
      case "resources/subscribe" -> watched.put(uri, line);
      case "resources/unsubscribe" -> watched.remove(uri);
      default -> {}
    }
    boolean waits =
        request.method().equals("subscriptions/listen")
            || (request.params().path("name").asText().endsWith("_poll_messages")
                && request.params().at("/arguments/wait_ms").asInt() > 0);
    Thread thread =
        Thread.ofVirtual()
            .unstarted(() -> {
              try {
                ask(request, line);
              } catch (InterruptedException e) {
                if (ended.getCount() == 0) { // otherwise its client has cancelled it
                  refuse(request, "The bridge ended before an answer came.");
                }
              } catch (RuntimeException | Error e) {
                log.error("{} failed", request.method(), e);
                refuse(request, "The bridge failed: %s.".formatted(e));
              } finally {
                running.remove(request.id());
              }
            });
    running.put(request.id(), new Call(thread, waits)); // before it can end
    thread.start();
  }

  private void ask(Request request, String line) throws InterruptedException {
    boolean modern = ProtocolVersions.isModern(null, request.params());
    boolean repeatable = !request.method().equals("tools/call");
    long pause = FIRST_PAUSE_MILLIS;
    for (int tries = 1; ; tries++) {
      boolean last = tries == TRIES || ended.getCount() == 0;
      Answer answer = new Answer();
      try {
        Map<String, String> headers = modern ? McpHeaders.of(request) : session;
        Map<String, String> begun = service.post(line, headers, answer);
        if (!begun.isEmpty()) {
          session = begun;
        }
        if (answer.came) {
          lastTraffic = System.nanoTime();
          return;
        }
        throw new IOException("the response has no answer");
      } catch (NotServedException e) {
        if (last || !e.isAway) {
          refuse(request, e.refusal, "not_sent");
          return;
        }
      } catch (IOException e) {
        if (Thread.interrupted()) {
          throw new InterruptedException(e.getMessage());
        }
        log.debug("{} broke off", request.method(), e);
        if (last || answer.began || !repeatable) {
          refuse(request, "%s went away before it answered.".formatted(service.name()));
          return;
        }
      }
      var _ = ended.await(pause, TimeUnit.MILLISECONDS);
      pause = Math.min(2 * pause, MAX_PAUSE_MILLIS);
    }
  }

  /** Nobody knows whether it was carried out. */
  private void refuse(Request request, String sentence) {
    refuse(request, Refusal.of(ErrorCode.BUS_UNAVAILABLE, sentence), "unknown");
  }

  private void refuse(Request request, Refusal refusal, String outcome) {
    write(
        McpServer.refusal(request, refusal.with("outcome", TextNode.valueOf(outcome))).toString());
  }

  /** What is said in return for a request. */
  private final class Answer implements Consumer<String> {
    private boolean began;
    private boolean came;

    @Override
    public void accept(String message) {
      began = true;
      came |= RemoteService.isResponse(message);
      write(message);
    }
  }

  /** Passes on what an older client is told of what it watches. */
  private void listen() {
    try {
      do {
        try {
          service.listen(session, this::write);
        } catch (IOException e) {
          log.debug("what is watched can't be heard", e);
        }
      } while (!ended.await(MAX_PAUSE_MILLIS, TimeUnit.MILLISECONDS) && restored());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Tells the service again what it may have forgotten, once it is there. */
  private boolean restored() throws InterruptedException {
    do {
      try {
        session = service.post(String.valueOf(initialize), Map.of(), said -> {});
        for (Map.Entry<String, String> watch : watched.entrySet()) {
          service.post(watch.getValue(), session, said -> {});
          var params = Json.object().put("uri", watch.getKey());
          write(JsonRpc.notification("notifications/resources/updated", params).toString());
        }
        return true;
      } catch (IOException e) {
        log.debug("what is watched can't be told", e);
      }
    } while (!ended.await(MAX_PAUSE_MILLIS, TimeUnit.MILLISECONDS));
    return false;
  }

  private void write(String message) {
    lock.lock();
    try {
      out.write((message + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException e) {
      log.debug("nobody reads the output", e);
      broken = true;
      ended.countDown();
    } finally {
      lock.unlock();
    }
  }
}
