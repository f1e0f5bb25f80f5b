package joshua.network.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.TimedWait;
import joshua.network.AnswerTurns;
import joshua.network.Caller;
import joshua.network.ConnectionHandler;
import joshua.network.FrameSession;
import joshua.network.InFlight;
import joshua.network.MessageBudget;
import joshua.network.MessageSink;
import joshua.network.RateLimit;

/**
 * MCP over one connection that carries messages both ways, a WebSocket for instance. Each request
 * may be of either era. Requests are executed in the order in which they come; responses overtake
 * each other. {@code notifications/cancelled} cancels, in both eras.
 */
public final class McpDialogue implements ConnectionHandler {
  private final McpEngine engine;
  private final Supplier<Optional<Caller>> caller;
  private final RateLimit rate;
  private final MessageSink messageSink;
  private final McpClient client;
  private final MessageStream stream;
  private final MessageBudget budget;
  private final InFlight inFlight = new InFlight();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final AtomicInteger listening = new AtomicInteger();
  private final AtomicBoolean pushing = new AtomicBoolean();
  private volatile boolean stopping;

  /**
   * Creates a dialogue over a connection that has just been opened.
   *
   * @param caller called for every message, since tokens may be revoked
   * @param budget the memory that requests under way may take
   */
  public McpDialogue(
      McpEngine engine,
      Supplier<Optional<Caller>> caller,
      RateLimit rate,
      MessageSink messageSink,
      MessageBudget budget,
      TimedWait timedWait) {
    this.engine = engine;
    this.caller = caller;
    this.rate = rate;
    this.messageSink = messageSink;
    this.budget = budget;
    this.client = new McpClient(timedWait);
    this.stream = message -> messageSink.send(Json.write(message));
  }

  @Override
  public void received(String message) {
    Optional<Caller> who = caller.get();
    if (who.isEmpty()) {
      messageSink.end(ErrorCode.UNAUTHENTICATED, "the token is no longer in force");
      return;
    }
    switch (budget.admit(message)) {
      case MessageBudget.Admission.Refused(Refusal refusal) ->
          refuse(JsonRpc.unread(message.getBytes(UTF_8), refusal));
      case MessageBudget.Admission.Admitted(long bytes) -> received(message, bytes, who.get());
    }
  }

  /** Deals with a message, for which so much of the budget is taken, to be given back. */
  private void received(String message, long bytes, Caller who) {
    JsonRpc read = JsonRpc.read(message);
    if (read instanceof JsonRpc.Request request) {
      requested(request, who, bytes);
      return;
    }
    try {
      switch (read) {
        case JsonRpc.Request request -> throw new IllegalStateException("dealt with already");
        case JsonRpc.Notification notification -> notified(notification, who);
        case JsonRpc.Response response -> engine.answered(response, who);
        case JsonRpc.Malformed malformed -> refuse(malformed);
      }
    } finally {
      budget.give(bytes);
    }
  }

  private void refuse(JsonRpc.Malformed malformed) {
    stream.send(engine.refuse(malformed.id(), malformed.error(), rate).message());
  }

  /** Requests that listen last as long as the connection; a stop waits for their end. */
  @Override
  public boolean idle() {
    return unanswered.get() == 0 && (!stopping || listening.get() == 0);
  }

  @Override
  public void ended() {
    client.end();
    inFlight.end();
  }

  @Override
  public void stopping() {
    stopping = true;
    client.endListening();
  }

  private void requested(JsonRpc.Request request, Caller who, long size) {
    if (inFlight.count() >= FrameSession.MAX_IN_FLIGHT) {
      budget.give(size);
      stream.send(JsonRpc.failure(request.id(), RpcError.tooMany(FrameSession.MAX_IN_FLIGHT)));
      return;
    }
    RequestContext requestContext = new RequestContext(who, client, stream, rate);
    switch (engine.begin(request, requestContext, RequestMeta.isModern(request.params()))) {
      case McpReply.Ready(McpReply.Response response) -> {
        budget.give(size);
        stream.send(response.message());
      }
      case McpReply.Later(McpReply.Work work) -> later(request, work, who, size);
    }
  }

  private void later(JsonRpc.Request request, McpReply.Work work, Caller who, long size) {
    AtomicInteger count = request.method().equals("subscriptions/listen") ? listening : unanswered;
    count.incrementAndGet();
    inFlight.start(
        who.connectionId() + "-" + request.method(),
        () -> {
          try {
            byte[] message = JsonRpc.bytes(work.await().message(), AnswerTurns.of(who));
            messageSink.send(new String(message, UTF_8));
          } catch (InterruptedException e) {
            // Cancelled by the client, or because it has gone: nothing is sent.
          } finally {
            client.done(request.id());
            count.decrementAndGet();
            budget.give(size);
          }
        },
        thread -> client.working(request.id(), thread));
  }

  private void notified(JsonRpc.Notification notification, Caller who) {
    // It counts, but is never refused: a notification has no response that could say so.
    var _ = rate.take();
    engine.notified(notification, client);
    if (notification.method().equals("notifications/initialized")
        && pushing.compareAndSet(false, true)) {
      inFlight.start(
          who.connectionId() + "-push",
          () -> {
            try {
              engine.push(client, stream);
            } catch (InterruptedException e) {
              // The connection has ended.
            }
          });
    }
  }
}
