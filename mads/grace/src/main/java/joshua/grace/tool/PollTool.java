package joshua.grace.tool;

import static java.util.Objects.requireNonNullElse;
import static java.util.Objects.requireNonNullElseGet;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import joshua.grace.queue.Loss;
import joshua.grace.queue.Polls;
import joshua.grace.queue.Polls.Outcome;
import joshua.grace.queue.Polls.Poll;
import joshua.grace.queue.ReadingRights;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Member;
import joshua.network.Name;
import joshua.network.RawJson;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import org.jspecify.annotations.Nullable;

/** {@code grace_poll_messages}: what waits for a client, and what it has missed (REQ-GR-02). */
public final class PollTool {
  private static final int MAX_BYTES = 2 * 1024 * 1024;

  /** What an answer has besides messages, at most. */
  private static final int BESIDE_MESSAGES = 1024;

  private final Relay relay;
  private final Polls polls;

  public PollTool(Relay relay) {
    this.relay = relay;
    this.polls = new Polls(relay.queues());
  }

  /** What it takes. */
  public record Input(
      @Name(Refusals.CLIENT) String clientId,
      @Member(value = "How long to wait for a message", min = 0, max = 600_000)
          @Nullable Integer waitMs,
      @Member(min = 1, max = 1_000_000) @Nullable Integer maxMessages,
      @Member(value = "Of messages; one is given however large", min = 1, max = MAX_BYTES)
          @Nullable Integer maxBytes,
      @Member(value = "That of the previous answer", max = 128) @Nullable String cursor) {}

  /** What it answers. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Output(
      String status,
      @Member("Envelopes, oldest first") List<RawJson> messages,
      String cursor,
      String epoch,
      @Member("How many wait after these") int remaining,
      @JsonInclude(JsonInclude.Include.ALWAYS) @Member("What you missed and why; null: nothing")
          @Nullable Loss gap,
      @Member("How many polled by this name at once") @Nullable Integer pollers,
      @Member("An earlier answer had these messages, and your connection died before you read it")
          @Nullable Boolean redelivered,
      @Nullable Boolean superseded,
      @Nullable String note) {}

  public Tool<Input> tool() {
    return new Tool<>(
        "grace_poll_messages",
        "Poll messages",
        "Returns the messages that wait for client_id, oldest first. Without cursor they are taken"
            + " from the queue. With the cursor of the previous answer (first: of grace_subscribe)"
            + " what came before it is released and everything later is returned until acknowledged"
            + " so: nothing gets lost. wait_ms waits for the next message. gap says what you missed"
            + " and why; null: nothing. remaining: so many more wait, poll again.",
        Input.class,
        Output.class,
        Tool.Audience.MODEL,
        Role.VIEWER,
        new ToolHints(false, false, false, false),
        this::begin);
  }

  private CompletableFuture<ToolResult> begin(Input input, ToolCall call) {
    Optional<Refusal> refusal =
        Refusals.actingAs(call.caller(), input.clientId())
            .or(() -> Refusals.ofCursor(input.clientId(), input.cursor()));
    if (refusal.isPresent()) {
      return ToolResult.refused(refusal.get());
    }
    ReadingRights rights = relay.rights().apply(call.caller());
    relay.queues().restrict(input.clientId(), rights).ifPresent(relay.presence()::left);
    relay.presence().called(input.clientId());
    Poll poll =
        new Poll(
            input.clientId(),
            Optional.ofNullable(input.cursor()),
            Duration.ofMillis(requireNonNullElse(input.waitMs(), 0)),
            requireNonNullElse(input.maxMessages(), Integer.MAX_VALUE),
            requireNonNullElseGet(input.maxBytes(), () -> usualBytes(call)),
            call.caller().connection());
    CompletableFuture<Void> arrived = relay.ownSends().arrived();
    return (arrived.isDone() ? polls.pollAtOnce(poll) : Optional.<Outcome>empty())
        .map(outcome -> CompletableFuture.completedFuture(result(poll, outcome)))
        .orElseGet(() ->
            call.onThreadOfItsOwn(() -> {
              arrived.get();
              return result(poll, polls.poll(poll));
            }));
  }

  private static int usualBytes(ToolCall call) {
    return Math.min(MAX_BYTES, call.context().comfortableBytes() - BESIDE_MESSAGES);
  }

  private ToolResult result(Poll poll, Outcome outcome) {
    return switch (outcome) {
      case Outcome.NotSubscribed(var gap) ->
          new ToolResult.Refused(Refusals.notSubscribed(poll.clientId(), gap));
      case Outcome.Answer answer ->
          new ToolResult.Success(
              new Output(
                  "success",
                  answer.messages().stream().map(RawJson::new).toList(),
                  answer.cursor(),
                  relay.queues().epoch(),
                  answer.remaining(),
                  answer.gap().orElse(null),
                  answer.overlaps() ? 2 : null,
                  answer.again() ? true : null,
                  answer.superseded() ? true : null,
                  answer.superseded()
                      ? "Another session polls as %s, and it gets the messages. Give each session"
                              .formatted(poll.clientId())
                          + " a client_id of its own."
                      : null),
              answer.written());
    };
  }
}
