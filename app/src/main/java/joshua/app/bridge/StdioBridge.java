package joshua.app.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import joshua.app.bridge.RemoteService.NotServedException;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
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
 * older client said of itself, and what it watches.
 */
final class StdioBridge {
  /** Some twenty seconds. */
  private static final int TRIES = 25;

  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;
  private static final Logger log = LoggerFactory.getLogger(StdioBridge.class);

  private final RemoteService service;
  private final OutputStream out;
  private final ReentrantLock lock = new ReentrantLock();
  private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Map<JsonNode, Future<?>> running = new ConcurrentHashMap<>();
  private final Map<String, String> watched = new ConcurrentHashMap<>();
  private volatile Map<String, String> session = Map.of();
  private volatile @Nullable String initialize;

  StdioBridge(RemoteService service, OutputStream out) {
    this.service = service;
    this.out = out;
  }

  /** Passes messages on until there are no more. */
  void run(InputStream in) throws IOException, InterruptedException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (!line.isBlank()) {
        accept(line);
      }
    }
    ended.countDown();
    calls.shutdown();
    // Whoever wrote requests into a pipe still wants the answers.
    calls.awaitTermination(1, TimeUnit.SECONDS);
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
        Future<?> cancelled = running.remove(notification.params().path("requestId"));
        if (cancelled != null) {
          cancelled.cancel(true);
        }
      }
      case "notifications/initialized" -> calls.submit(this::listen);
      default -> log.debug("left out: {}", notification.method());
    }
  }

  // --- Requests -----------------------------------------------------------------------------

  private void begin(Request request, String line) {
    String uri = request.params().path("uri").asText();
    switch (request.method()) {
      case "initialize" -> initialize = line;
      case "resources/subscribe" -> watched.put(uri, line);
      case "resources/unsubscribe" -> watched.remove(uri);
      default -> {}
    }
    FutureTask<?> call =
        new FutureTask<>(() -> {
          ask(request, line);
          return running.remove(request.id());
        });
    running.put(request.id(), call); // before it can end
    calls.execute(call);
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
          return;
        }
        throw new IOException("the response has no answer");
      } catch (NotServedException e) {
        if (last || !e.isAway) {
          refuse(request, String.valueOf(e.getMessage()), "not_sent");
          return;
        }
      } catch (IOException e) {
        if (Thread.currentThread().isInterrupted()) {
          return;
        }
        log.debug("{} broke off", request.method(), e);
        if (last || answer.began || !repeatable) {
          refuse(request, "%s went away before it answered.".formatted(service.name()), "unknown");
          return;
        }
      }
      var _ = ended.await(pause, TimeUnit.MILLISECONDS);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
    }
  }

  private void refuse(Request request, String sentence, String outcome) {
    Refusal refusal = Refusal.of(ErrorCode.BUS_UNAVAILABLE, sentence);
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

  // --- What an older client is told ---------------------------------------------------------

  private void listen() {
    try {
      do {
        try {
          service.listen(session, this::write);
        } catch (IOException e) {
          log.debug("what is watched can't be heard", e);
        }
      } while (!ended.await(LONGEST_PAUSE_MILLIS, TimeUnit.MILLISECONDS) && restored());
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
    } while (!ended.await(LONGEST_PAUSE_MILLIS, TimeUnit.MILLISECONDS));
    return false;
  }

  private void write(String message) {
    lock.lock();
    try {
      out.write((message + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.unlock();
    }
  }
}
