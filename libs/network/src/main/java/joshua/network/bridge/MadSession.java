package joshua.network.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.network.bridge.Whereabouts.Absent;
import joshua.network.bridge.Whereabouts.Place;
import joshua.network.mcp.ClientMeta;
import joshua.network.mcp.Rpc;

/**
 * MCP as a client of one MAD, over one connection: requests, their outcomes and what is heard
 * besides. When the connection ends, every request that hasn't been answered is lost.
 */
final class MadSession implements AutoCloseable {
  /**
   * The most requests under way; a MAD takes as many of one connection, listening ones included.
   */
  static final int MAX_CALLS = 512;

  private final MadTerms terms;
  private final MadSocket socket;
  private final AtomicLong lastId = new AtomicLong();
  private final Map<String, Call> calls = new ConcurrentHashMap<>();
  private final Map<String, Listening> listenings = new ConcurrentHashMap<>();

  /** One {@code subscriptions/listen}. */
  final class Listening implements AutoCloseable {
    private final String id;
    private final Consumer<Rpc.Notification> heard;
    private final CompletableFuture<ObjectNode> honoured = new CompletableFuture<>();

    private Listening(String id, Consumer<Rpc.Notification> heard) {
      this.id = id;
      this.heard = heard;
    }

    /** What of the filter is honoured, once that is known; empty if nothing ever will be. */
    CompletableFuture<ObjectNode> honoured() {
      return honoured;
    }

    private void take(Rpc.Notification notification) {
      if (notification.method().equals("notifications/subscriptions/acknowledged")) {
        honoured.complete(
            notification.params().path("notifications") instanceof ObjectNode some
                ? some
                : Json.object());
      } else {
        heard.accept(notification);
      }
    }

    @Override
    public void close() {
      if (listenings.remove(id) != null) {
        cancel(id);
      }
      honoured.complete(Json.object());
    }
  }

  private MadSession(MadTerms terms, HttpClient http, Place place, LongSupplier nanoTime)
      throws Absent, InterruptedException {
    this.terms = terms;
    this.socket = MadSocket.open(http, terms, place, this::received, nanoTime);
    var _ = socket.ended().thenAccept(this::lost);
  }

  /** Connects, and makes sure who answers. */
  static MadSession open(MadTerms terms, HttpClient http, Place place, LongSupplier nanoTime)
      throws Absent, InterruptedException {
    MadSession session = new MadSession(terms, http, place, nanoTime);
    try {
      Call discover = Call.plain("server/discover", Json.object());
      session.ask(discover);
      String name =
          discover.await(MadSocket.OPENS_WITHIN.toSeconds()) instanceof Outcome.Result(var result)
              ? ClientMeta.serverName(result)
              : "";
      if (!name.equals(terms.mad())) {
        throw new Absent(
            "What listens on %s isn't Joshua's %s%s."
                .formatted(place.shown(), terms.mad(), name.isEmpty() ? "" : ", but " + name));
      }
      return session;
    } catch (Absent | InterruptedException e) {
      session.close();
      throw e;
    }
  }

  /** Completes with the reason when this has ended. */
  CompletableFuture<String> ended() {
    return socket.ended();
  }

  void keepAlive() {
    socket.keepAlive();
  }

  /** Sends a request; never blocks. */
  void ask(Call call) {
    if (calls.size() >= MAX_CALLS) {
      call.end(
          Outcome.refused(
              ErrorCode.OVERLOADED,
              "%d calls to %s are under way; await some answers first."
                  .formatted(MAX_CALLS, terms.mad())));
      return;
    }
    String id = nextId();
    ObjectNode meta = terms.client().of(call.answers());
    meta.put("progressToken", id);
    String message = message(id, call.method(), call.params(), meta);
    if (terms.isTooLarge(message)) {
      call.end(
          Outcome.refused(
              ErrorCode.TOO_LARGE,
              "The call is larger than the %d bytes that JOSHUA_FRAME_LIMIT allows."
                  .formatted(terms.frameLimit())));
      return;
    }
    calls.put(id, call);
    send(message);
    call.sent(() -> {
      if (calls.remove(id) != null) {
        cancel(id);
      }
    });
  }

  /**
   * Listens until closed, or until the connection ends.
   *
   * @param heard must not block
   */
  Listening listen(ObjectNode filter, Consumer<Rpc.Notification> heard) {
    Listening listening = new Listening(nextId(), heard);
    listenings.put(listening.id, listening);
    ObjectNode params = Json.object();
    params.set("notifications", filter);
    send(message(listening.id, "subscriptions/listen", params, terms.client().of(Set.of())));
    return listening;
  }

  private String nextId() {
    return Long.toString(lastId.incrementAndGet());
  }

  private static String message(String id, String method, ObjectNode params, ObjectNode meta) {
    ObjectNode complete = Json.object();
    complete.set("_meta", meta);
    complete.setAll(params);
    return Json.write(Rpc.request(id, method, complete));
  }

  private void cancel(String id) {
    ObjectNode params = Json.object();
    params.set("requestId", TextNode.valueOf(id));
    send(Json.write(Rpc.notification("notifications/cancelled", params)));
  }

  private void send(String message) {
    if (!socket.send(message)) {
      socket.end("more than %d messages wait to be sent".formatted(MadSocket.MAX_OUTGOING));
    }
    if (socket.ended().isDone()) {
      lost(socket.ended().join());
    }
  }

  private void received(String text) {
    switch (Rpc.read(text)) {
      case Rpc.Response response when response.id().isNull() ->
          socket.end("it answered, and to what can't be told");
      case Rpc.Response response -> answered(response);
      case Rpc.Notification notification -> heard(notification);
      case Rpc.Malformed _ -> socket.end("it sent what isn't JSON-RPC");
      case Rpc.Request _ -> {
        // Servers of the stateless protocol put questions in results, never by requests.
      }
    }
  }

  private void answered(Rpc.Response response) {
    String id = response.id().asText();
    ObjectNode content =
        response.resultOrError() instanceof ObjectNode object ? object : Json.object();
    Call call = calls.remove(id);
    Listening listening = listenings.remove(id);
    if (call != null) {
      call.end(response.error() ? new Outcome.Failed(content) : new Outcome.Result(content));
    } else if (listening != null) {
      listening.honoured.complete(Json.object());
    }
  }

  private void heard(Rpc.Notification notification) {
    if (notification.method().equals("notifications/progress")) {
      Call call = calls.get(notification.params().path("progressToken").asText());
      if (call != null) {
        call.progressed(notification.params());
      }
      return;
    }
    JsonNode id = ClientMeta.subscriptionId(notification.params());
    Listening listening = listenings.get(id.asText());
    if (listening != null) {
      listening.take(notification);
    }
  }

  private void lost(String why) {
    for (String id : List.copyOf(calls.keySet())) {
      Call call = calls.remove(id);
      if (call != null) {
        call.end(
            Outcome.lost(
                "The connection to Joshua's %s ended before it answered: %s. Whether the call was carried out isn't known."
                    .formatted(terms.mad(), why)));
      }
    }
    for (String id : List.copyOf(listenings.keySet())) {
      Listening listening = listenings.remove(id);
      if (listening != null) {
        listening.honoured.complete(Json.object());
      }
    }
  }

  @Override
  public void close() {
    socket.close();
  }
}
