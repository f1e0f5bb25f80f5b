package joshua.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The design's frames over one connection (wire contract §3.3).
 *
 * <p>A frame is executed when it arrives, in frame order. If the frame had a {@code request_id},
 * its answer is sent as soon as it is ready, otherwise after the answers of all earlier frames
 * without one. That order is a chain of futures whose end, {@code turn}, only the reading thread
 * touches.
 */
public final class FrameSession implements ConnectionHandler {
  /** How many calls of one connection may be under way; one more is {@code overloaded}. */
  public static final int MAX_IN_FLIGHT = 1024;

  /**
   * How many answers may wait for their turn, refusals included; then the connection is ended,
   * since its peer goes on asking without listening to refusals.
   */
  static final int MAX_UNSENT = 2 * MAX_IN_FLIGHT;

  private static final Logger log = LoggerFactory.getLogger(FrameSession.class);

  private final ToolSet toolSet;
  private final Supplier<Optional<Caller>> caller;
  private final RateLimit rate;
  private final MessageSink messageSink;
  private final MessageBudget budget;
  private final InFlight inFlight = new InFlight();
  private final AtomicInteger unsent = new AtomicInteger();
  private CompletableFuture<Void> turn = CompletableFuture.completedFuture(null);

  /**
   * Creates a session for a connection that has just been opened.
   *
   * @param caller called for every call, since tokens may be revoked; empty if the token is no
   *     longer valid
   * @param budget the memory that frames under way may take, and answers until their turn
   */
  public FrameSession(
      ToolSet toolSet,
      Supplier<Optional<Caller>> caller,
      RateLimit rate,
      MessageSink messageSink,
      MessageBudget budget) {
    this.toolSet = toolSet;
    this.caller = caller;
    this.rate = rate;
    this.messageSink = messageSink;
    this.budget = budget;
  }

  @Override
  public void received(String message) {
    MessageBudget.Admission admission = budget.admit(message);
    switch (admission) {
      case MessageBudget.Admission.Refused(Refusal refusal) ->
          received(RequestFrame.unread(message, refusal), 0);
      case MessageBudget.Admission.Admitted(long bytes) ->
          received(RequestFrame.read(message), bytes);
    }
  }

  /** Deals with a frame, for which so much of the budget is taken, to be given back. */
  private void received(RequestFrame requestFrame, long bytes) {
    Optional<Caller> who = caller.get();
    if (who.isEmpty()) {
      budget.give(bytes);
      messageSink.end(ErrorCode.UNAUTHENTICATED, "the token is no longer in force");
      return;
    }
    if (unsent.incrementAndGet() > MAX_UNSENT) {
      budget.give(bytes);
      messageSink.end(ErrorCode.OVERLOADED, "more than " + MAX_UNSENT + " answers wait to be sent");
      return;
    }
    CompletableFuture<Optional<ToolResult>> result =
        result(requestFrame, who.get()).whenComplete((answered, failure) -> budget.give(bytes));
    String caller = AnswerTurns.of(who.get());
    JsonNode id = requestFrame.requestId();
    if (id != null) {
      var _ = result.thenApply(answered -> send(written(answered, id, caller)));
      return;
    }
    // The frame itself isn't kept until its answer's turn, nor is the answer as a tree.
    CompletableFuture<Void> before = turn;
    turn =
        before.thenCombine(
            result.thenApply(answered -> held(written(answered, null, caller), before)),
            this::sendHeld);
  }

  /** An answer as text: a large one when it is its caller's turn. */
  private static Optional<String> written(
      Optional<ToolResult> answered, @Nullable JsonNode id, String caller) {
    if (answered.isEmpty()) {
      return Optional.empty();
    }
    ToolResult result = answered.get();
    try {
      return Optional.of(
          result.isLarge()
              ? AnswerTurns.OF_THIS_PROCESS.inTurn(caller, () -> text(result, id))
              : text(result, id));
    } catch (InterruptedException e) {
      // The connection has ended: there is no client to send it to.
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** An answer as text, and what it has taken of the budget if it waits for its turn. */
  private record Held(Optional<String> text, long bytes) {}

  private Held held(Optional<String> text, CompletableFuture<Void> before) {
    long size = text.map(ByteBudget::size).orElse(0L);
    if (before.isDone()) {
      return new Held(text, 0);
    }
    if (budget.hold(size).isPresent()) {
      return new Held(text, size);
    }
    return new Held(Optional.of(RequestFrame.refused(noRoomToWait(), null)), 0);
  }

  @Override
  public boolean idle() {
    return unsent.get() == 0;
  }

  @Override
  public void ended() {
    inFlight.end();
  }

  /** The frame's result, when it comes; empty if the connection ended before. */
  private CompletableFuture<Optional<ToolResult>> result(RequestFrame requestFrame, Caller who) {
    // Invalid frames have to be answered, too, so they count.
    long waitMillis = rate.take();
    if (waitMillis > 0) {
      return refuse(rateLimited(waitMillis));
    }
    return switch (requestFrame) {
      case RequestFrame.Bad bad -> refuse(bad.refusal());
      case RequestFrame.Call call -> {
        if (inFlight.count() >= MAX_IN_FLIGHT) {
          yield refuse(
              Refusal.of(
                  ErrorCode.OVERLOADED,
                  "%d calls of this connection are under way; await some answers first."
                      .formatted(MAX_IN_FLIGHT)));
        }
        yield begun(call, who);
      }
    };
  }

  /** Comes to an end whatever the tools do: what the call has taken is given back then. */
  private CompletableFuture<Optional<ToolResult>> begun(RequestFrame.Call call, Caller who) {
    try {
      return await(toolSet.begin(call.tool(), call.input(), who), who);
    } catch (RuntimeException | Error e) {
      return CompletableFuture.completedFuture(Optional.of(failed(e)));
    }
  }

  private CompletableFuture<Optional<ToolResult>> await(Tool.Answer answer, Caller who) {
    CompletableFuture<Optional<ToolResult>> result = new CompletableFuture<>();
    if (answer instanceof Tool.Ready(ToolResult ready) && !ready.isLarge()) {
      result.complete(Optional.of(ready));
      return result;
    }
    inFlight.start(
        who.connectionId() + "-answer",
        () -> {
          try {
            result.complete(Optional.of(answer.await()));
          } catch (InterruptedException e) {
            result.complete(Optional.empty());
          } catch (RuntimeException | Error e) {
            result.complete(Optional.of(failed(e)));
          }
        });
    return result;
  }

  private static ToolResult failed(Throwable cause) {
    log.error("a call failed outside of its tool", cause);
    return new ToolResult.Refused(
        Refusal.of(ErrorCode.INTERNAL, "The call failed inside the service; its log tells more."));
  }

  private Void send(Optional<String> text) {
    text.ifPresent(messageSink::send);
    unsent.decrementAndGet();
    return null;
  }

  private Void sendHeld(Void before, Held held) {
    budget.give(held.bytes());
    return send(held.text());
  }

  private static Refusal noRoomToWait() {
    return Refusal.of(
        ErrorCode.OVERLOADED,
        "The answer was made, and there is no room to hold it until those before it are ready. What"
            + " was asked for has been done. Use request_id.");
  }

  private static String text(ToolResult result, @Nullable JsonNode requestId) {
    String text;
    try {
      text = RequestFrame.answer(result, requestId);
    } catch (RuntimeException e) {
      log.error("an answer can't be written as JSON", e);
      return RequestFrame.refused(
          Refusal.of(ErrorCode.INTERNAL, "The answer can't be written as JSON."), requestId);
    }
    return text.length() <= ToolResult.MAX_CHARACTERS
        ? text
        : RequestFrame.refused(ToolResult.tooLarge(), requestId);
  }

  private static Refusal rateLimited(long waitMillis) {
    return Refusal.of(
            ErrorCode.RATE_LIMITED,
            "This connection makes calls faster than it may; wait %d ms.".formatted(waitMillis))
        .with("retry_after_ms", LongNode.valueOf(waitMillis));
  }

  private CompletableFuture<Optional<ToolResult>> refuse(Refusal refusal) {
    toolSet.countRefusal(refusal.code());
    return CompletableFuture.completedFuture(Optional.of(new ToolResult.Refused(refusal)));
  }
}
