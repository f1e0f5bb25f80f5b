package joshua.grace.tool;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.conversation.envelope.EnvelopeHead;
import joshua.grace.queue.Bell;
import joshua.grace.queue.ClientPresence.ClientView;
import joshua.grace.queue.Cursor;
import joshua.grace.queue.Loss;
import joshua.grace.queue.Polls;
import joshua.grace.queue.Polls.Outcome;
import joshua.grace.queue.Polls.Poll;
import joshua.grace.queue.QueuedMessage;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.kernel.UnicodeText;
import joshua.network.Name;
import joshua.network.RawJson;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import org.jspecify.annotations.Nullable;

/**
 * {@code grace_poll_messages} with {@code grace_inbox} and {@code grace_await}: the messages and
 * losses of a client, taken, shown and waited for (REQ-GR-02).
 */
public record PollTool(RelayParts relay) {
  private static final int MAX_BYTES = 2 * 1024 * 1024;
  private static final int BESIDE_MESSAGES = 1024; // bytes of an answer, at most
  private static final int BEGINNING = 1_000; // characters of a payload that is cut

  public record Input(
      @Name(RelayParts.CLIENT) String clientId,
      @SchemaHint(value = "How long to wait for a message", min = 0, max = 600_000)
          @Nullable Integer waitMs,
      @SchemaHint(min = 1, max = 1_000_000) @Nullable Integer maxMessages,
      @SchemaHint(value = "Of messages; by MCP a larger one is cut", min = 1, max = MAX_BYTES)
          @Nullable Integer maxBytes,
      @SchemaHint(value = "That of the previous answer", max = 128) @Nullable String cursor) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Output(
      String status,
      @SchemaHint("Envelopes, oldest first") List<RawJson> messages,
      String cursor,
      String epoch,
      @SchemaHint("How many wait after these") int remaining,
      @JsonInclude(JsonInclude.Include.ALWAYS) @SchemaHint("What you missed and why; null: nothing")
          @Nullable Loss gap,
      @SchemaHint("How many polled by this name at once") @Nullable Integer pollers,
      @SchemaHint("How many of these waited in the archive: look at their timestamps")
          @Nullable Integer kept,
      @SchemaHint("An earlier answer had some of these messages, perhaps unread")
          @Nullable Boolean redelivered,
      @Nullable Boolean superseded,
      @SchemaHint("Ids of messages of which only the beginning is here") @Nullable List<String> cut,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) @SchemaHint("Ids of those that you sent yourself")
          @Nullable List<String> own,
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
        relay.acting(Input::clientId, this::begin));
  }

  /** {@code grace_inbox}: what a poll would return, which stays there. */
  public Tool<Input> looking() {
    return new Tool<>(
        "grace_inbox",
        "Inbox",
        "Returns what a poll would; it isn't one, and takes and acknowledges nothing.",
        Input.class,
        Output.class,
        Tool.Audience.PROGRAM,
        Role.VIEWER,
        ToolHints.READS,
        relay.acting(Input::clientId, this::look));
  }

  private CompletableFuture<ToolResult> look(Input input, ToolCall call) {
    return RelayParts.refuseCursor(input.clientId(), input.cursor())
        .map(ToolResult::refused)
        .orElseGet(() ->
            CompletableFuture.completedFuture(
                result(input.clientId(), relay.polls().look(poll(input, call)))));
  }

  private CompletableFuture<ToolResult> begin(Input input, ToolCall call) {
    Optional<Refusal> refusal = RelayParts.refuseCursor(input.clientId(), input.cursor());
    if (refusal.isPresent()) {
      return ToolResult.refused(refusal.get());
    }
    relay.queues().restrict(input.clientId(), relay.rights(call.caller()));
    relay.called(input.clientId());
    CompletableFuture<Void> arrived = relay.sendBarrier().arrived();
    Polls.Open poll = relay.polls().begin(poll(input, call));
    return (arrived.isDone() ? poll.atOnce() : Optional.<Outcome>empty())
        .map(outcome -> CompletableFuture.completedFuture(result(input.clientId(), outcome)))
        .orElseGet(() -> call.runBlocking(() -> result(input.clientId(), poll.await(arrived))));
  }

  private static Poll poll(Input input, ToolCall call) {
    int room = call.context().preferredMaxBytes();
    long mostBytes =
        requireNonNullElse(input.maxBytes(), Math.min(MAX_BYTES, room - BESIDE_MESSAGES));
    boolean isProgram = room > MAX_BYTES;
    return new Poll(
        input.clientId(),
        Cursor.parse(input.clientId(), input.cursor()),
        Duration.ofMillis(requireNonNullElse(input.waitMs(), 0)),
        requireNonNullElse(input.maxMessages(), Integer.MAX_VALUE),
        mostBytes,
        isProgram ? Long.MAX_VALUE : Math.max(mostBytes, Polls.CUT_BYTES),
        call.caller().connection());
  }

  private ToolResult result(String clientId, Outcome outcome) {
    return switch (outcome) {
      case Outcome.NotSubscribed(var gap) -> RelayParts.notSubscribed(clientId, gap);
      case Outcome.Answer(var page, var overlaps, var superseded, var written) -> {
        List<RawJson> messages = new ArrayList<>(page.messages().size() + 1);
        page.messages().forEach(message -> messages.add(new RawJson(message.body())));
        relay
            .bus()
            .requests()
            .delivered(clientId, page.messages().stream().map(QueuedMessage::body));
        QueuedMessage cut = page.cut();
        int kept = (int) page.messages().stream().filter(QueuedMessage::isKept).count();
        yield new ToolResult.Success(
            new Output(
                "success",
                messages,
                page.to().toString(),
                relay.queues().epoch(),
                page.remaining(),
                page.gap().orElse(null),
                overlaps ? 2 : null,
                kept == 0 ? null : kept,
                page.again() ? true : null,
                superseded ? true : null,
                cut == null ? null : List.of(addCut(cut.body(), messages)),
                page.messages().stream()
                    .filter(message -> message.sender().equals(clientId))
                    .map(message -> EnvelopeHead.idOf(message.body()))
                    .toList(),
                note(clientId, cut, superseded)),
            written);
      }
    };
  }

  private @Nullable String note(String clientId, @Nullable QueuedMessage cut, boolean superseded) {
    if (relay.polls().areCompleted()) {
      return "The relay stops; in a few seconds subscribe again with this cursor.";
    }
    if (cut != null) {
      return ("The last message has %1$d bytes, too many for here, so this is only its beginning. Poll"
              + " again with max_bytes %1$d to get it whole; any other poll goes on behind it.")
          .formatted(cut.body().length);
    }
    if (superseded) {
      return ("Another session polls as %s, and it gets the messages. Give each session a client_id of"
              + " its own.")
          .formatted(clientId);
    }
    List<String> alsoAt = relay.addressees().alsoAt(clientId);
    return alsoAt.isEmpty()
        ? null
        : "Another relay has a queue of this name, which gets the same messages: %s."
            .formatted(String.join(", ", alsoAt));
  }

  /** Adds the beginning of a message that is too large; returns its id. */
  private static String addCut(byte[] body, List<RawJson> messages) {
    ObjectNode envelope = (ObjectNode) Json.parseTrusted(body);
    String payload = envelope.path("payload").toString();
    envelope
        .retain(EnvelopeCodec.MEMBERS)
        .putObject("payload")
        .put("too_large", body.length)
        .put("beginning", UnicodeText.truncate(payload, BEGINNING));
    messages.add(new RawJson(Json.bytes(envelope)));
    return envelope.path("message_id").asText();
  }

  public record AwaitInput(
      @Name(RelayParts.CLIENT) String clientId,
      @SchemaHint(
              "One of version 7 for each program; the latest waits, others end; none: look at once")
          @Nullable UUID holder,
      @SchemaHint(min = 0, max = 60_000) @Nullable Integer waitMs,
      @SchemaHint("Only says whether a session of the client is there") @Nullable Boolean look) {}

  public record AwaitOutput(
      String status,
      @JsonUnwrapped Bell.Ring ring,
      @SchemaHint("When the client polled last") @Nullable Instant lastPollAt,
      @SchemaHint("Whether a program is telling it what waits") boolean told) {}

  /** {@code grace_await}: a wait on a client's bell, for programs that wake the client. */
  public Tool<AwaitInput> awaiting() {
    return new Tool<>(
        "grace_await",
        "Await messages",
        "Waits until a client is to be told that messages wait for it, and takes nothing.",
        AwaitInput.class,
        AwaitOutput.class,
        Tool.Audience.PROGRAM,
        Role.VIEWER,
        ToolHints.READS,
        relay.acting(AwaitInput::clientId, this::await));
  }

  private CompletableFuture<ToolResult> await(AwaitInput input, ToolCall call) {
    String client = input.clientId();
    Duration most = Duration.ofMillis(requireNonNullElse(input.waitMs(), 0));
    boolean looks = requireNonNullElse(input.look(), false);
    return call.runBlocking(() -> {
      if (input.holder() != null) {
        relay.keepFor(client, call.caller().connection());
      }
      relay.called(client);
      Optional<ClientView> view = relay.presence().view(client);
      Bell.Ring ring =
          looks ? Bell.Ring.NONE : relay.polls().awaitBell(client, input.holder(), most);
      return new ToolResult.Success(
          new AwaitOutput(
              "success",
              ring,
              view.map(ClientView::lastPollAt).orElse(null),
              view.filter(ClientView::isTold).isPresent()));
    });
  }
}
