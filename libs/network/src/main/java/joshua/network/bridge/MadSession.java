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
import joshua.network.bridge.EndpointResolver.EndpointUnavailableException;
import joshua.network.bridge.EndpointResolver.Place;
import joshua.network.mcp.ClientMeta;
import joshua.network.mcp.JsonRpc;

/**
 * MCP as a client of one MAD, over one connection: requests, their outcomes and notifications. When
 * the connection ends, every unanswered request is lost.
 */
final class MadSession implements AutoCloseable {
  /**
   * The most requests under way; a MAD takes as many of one connection, listening ones included.
   */
  static final int MAX_CALLS = 512;

  private final McpClientSettings terms;
  private final MadSocket socket;
  private final AtomicLong lastId = new AtomicLong();
  private final Map<String, MadCall> calls = new ConcurrentHashMap<>();
  private final Map<String, Listening> listenings = new ConcurrentHashMap<>();

  /** One {@code subscriptions/listen}. */
  final class Listening implements AutoCloseable {
    private final String id;
    private final Consumer<JsonRpc.Notification> heard;
    private final CompletableFuture<ObjectNode> honoured = new CompletableFuture<>();

    private Listening(String id, Consumer<JsonRpc.Notification> heard) {
      this.id = id;
      this.heard = heard;
    }

    /** The part of the filter that is honoured, once known; empty if it never will be. */
    CompletableFuture<ObjectNode> honoured() {
      return honoured;
    }

    private void take(JsonRpc.Notification notification) {
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

  private MadSession(McpClientSettings terms, HttpClient http, Place place, LongSupplier nanoTime)
      throws EndpointUnavailableException, InterruptedException {
    this.terms = terms;
    this.socket = MadSocket.open(http, terms, place, this::received, nanoTime);
    var _ = socket.ended().thenAccept(this::lost);
  }

  /** Connects, and checks the MAD's identity. */
  static MadSession open(
      McpClientSettings terms, HttpClient http, Place place, LongSupplier nanoTime)
      throws EndpointUnavailableException, InterruptedException {
    MadSession session = new MadSession(terms, http, place, nanoTime);
    try {
      MadCall discover = MadCall.plain("server/discover", Json.object());
      session.ask(discover);
      String name =
          discover.await(MadSocket.OPENS_WITHIN.toSeconds())
                  instanceof MadCallOutcome.Result(var result)
              ? ClientMeta.serverName(result)
              : "";
      if (!name.equals(terms.mad())) {
        throw new EndpointUnavailableException(
            "What listens on %s isn't Joshua's %s%s."
                .formatted(place.shown(), terms.mad(), name.isEmpty() ? "" : ", but " + name));
      }
      return session;
    } catch (EndpointUnavailableException | InterruptedException e) {
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
  void ask(MadCall madCall) {
    if (calls.size() >= MAX_CALLS) {
      madCall.end(
          MadCallOutcome.refused(
              ErrorCode.OVERLOADED,
              "%d calls to %s are under way; await some answers first."
                  .formatted(MAX_CALLS, terms.mad())));
      return;
    }
    String id = nextId();
    ObjectNode meta = terms.client().of(madCall.answers());
    meta.put("progressToken", id);
    String message = message(id, madCall.method(), madCall.params(), meta);
    if (terms.isTooLarge(message)) {
      madCall.end(
          MadCallOutcome.refused(
              ErrorCode.TOO_LARGE,
              "The call is larger than the %d bytes that JOSHUA_FRAME_LIMIT allows."
                  .formatted(terms.frameLimit())));
      return;
    }
    calls.put(id, madCall);
    send(message);
    madCall.sent(() -> {
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
  Listening listen(ObjectNode filter, Consumer<JsonRpc.Notification> heard) {
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
    return Json.write(JsonRpc.request(id, method, complete));
  }

  private void cancel(String id) {
    ObjectNode params = Json.object();
    params.set("requestId", TextNode.valueOf(id));
    send(Json.write(JsonRpc.notification("notifications/cancelled", params)));
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
    switch (JsonRpc.read(text)) {
      case JsonRpc.Response response when response.id().isNull() ->
          socket.end("it answered, and to what can't be told");
      case JsonRpc.Response response -> answered(response);
      case JsonRpc.Notification notification -> heard(notification);
      case JsonRpc.Malformed _ -> socket.end("it sent what isn't JSON-RPC");
      case JsonRpc.Request _ -> {
        // Servers of the stateless protocol put questions in results, never by requests.
      }
    }
  }

  private void answered(JsonRpc.Response response) {
    String id = response.id().asText();
    ObjectNode content =
        response.resultOrError() instanceof ObjectNode object ? object : Json.object();
    MadCall madCall = calls.remove(id);
    Listening listening = listenings.remove(id);
    if (madCall != null) {
      madCall.end(
          response.error()
              ? new MadCallOutcome.Failed(content)
              : new MadCallOutcome.Result(content));
    } else if (listening != null) {
      listening.honoured.complete(Json.object());
    }
  }

  private void heard(JsonRpc.Notification notification) {
    if (notification.method().equals("notifications/progress")) {
      MadCall madCall = calls.get(notification.params().path("progressToken").asText());
      if (madCall != null) {
        madCall.progressed(notification.params());
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
      MadCall madCall = calls.remove(id);
      if (madCall != null) {
        madCall.end(
            MadCallOutcome.lost(
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
