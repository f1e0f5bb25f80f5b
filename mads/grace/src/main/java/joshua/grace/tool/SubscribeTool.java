package joshua.grace.tool;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import joshua.conversation.envelope.ChannelPattern;
import joshua.grace.queue.ClientPresence.ClientView;
import joshua.grace.queue.ClientQueues;
import joshua.grace.queue.ClientQueues.Subscribed;
import joshua.grace.queue.Cursor;
import joshua.grace.queue.Handover;
import joshua.grace.queue.Loss;
import joshua.grace.queue.ReadingRights;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.kernel.Timestamps;
import joshua.network.Name;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import org.jspecify.annotations.Nullable;

/**
 * {@code grace_subscribe} and {@code grace_unsubscribe}: changes to a client's queue and to the
 * topics that it follows (REQ-GR-02). Redis isn't involved.
 */
public record SubscribeTool(RelayParts relay) {
  public record Input(
      @Name(RelayParts.CLIENT) String clientId,
      @SchemaHint(min = 1, max = ClientQueues.MAX_TOPICS, example = "[\"mad.direct.claude-1\"]")
          List<String> topics,
      @SchemaHint(value = "Your last cursor, if you had one: tells what you missed", max = 128)
          @Nullable String cursor,
      @SchemaHint("false: without what you send to topics and to all yourself")
          @Nullable Boolean own) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Output(
      String status,
      String message,
      String epoch,
      int queueLimit,
      @SchemaHint("All that you follow") List<String> topics,
      String cursor,
      @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable Loss gap,
      @SchemaHint("Messages to you that waited in the archive") @Nullable Integer kept,
      @SchemaHint("Another session polls by this name") @Nullable Instant alreadyPollingSince,
      @JsonInclude(JsonInclude.Include.NON_EMPTY)
          @SchemaHint("Other relays that have a queue of this name, by instance")
          @Nullable List<String> alsoAt,
      @SchemaHint("Left out, but for your own") @Nullable List<String> withheld,
      @Nullable String note) {}

  public Tool<Input> tool() {
    return new Tool<>(
        "grace_subscribe",
        "Subscribe",
        "Makes a queue for client_id, from this call on, and adds channels or globs to it:"
            + " mad.direct.<your id>, mad.topic.<name>, mad.broadcast, mad.stream.<task>, or mad.*"
            + " for all that participants say (streams and mad.system.* only where named)."
            + " Subscribing again adds more. Read it with grace_poll_messages; pass the answer's"
            + " cursor to your first poll, so that nothing gets lost.",
        Input.class,
        Output.class,
        Tool.Audience.MODEL,
        Role.VIEWER,
        new ToolHints(false, false, true, false),
        relay.acting(Input::clientId, this::subscribe));
  }

  private CompletableFuture<ToolResult> subscribe(Input input, ToolCall call) {
    List<ChannelPattern> topics = new ArrayList<>();
    ReadingRights rights = relay.rights(call.caller());
    Optional<Refusal> refusal =
        readTopics(input.topics(), topics)
            .or(() -> rights.toFollow(input.clientId(), topics))
            .or(() -> RelayParts.refuseCursor(input.clientId(), input.cursor()))
            .or(() -> relay.queues().noRoom(input.clientId(), topics));
    if (refusal.isPresent()) {
      return ToolResult.refused(refusal.get());
    }
    ClientQueues queues = relay.queues();
    Subscribed subscribed =
        queues.subscribe(
            input.clientId(),
            topics,
            Cursor.parse(input.clientId(), input.cursor()),
            !relay.isReceiving(),
            call.caller().connection(),
            rights);
    Optional.ofNullable(input.own()).ifPresent(own -> queues.receiveOwn(input.clientId(), own));
    relay.presence().called(input.clientId(), "subscribed");
    relay.addressees().heard(input.clientId());
    boolean withheld = rights.withholdsFrom(subscribed.topics());
    if (!queues.handover().isHeard()) {
      return ToolResult.success(output(input, subscribed, subscribed.gap(), withheld));
    }
    return call.runBlocking(() -> {
      relay.archive().fetch(input.clientId());
      Optional<Loss> gap = relay.presence().view(input.clientId()).map(ClientView::gap);
      return new ToolResult.Success(output(input, subscribed, gap, withheld));
    });
  }

  private Output output(Input input, Subscribed subscribed, Optional<Loss> gap, boolean withheld) {
    ClientQueues queues = relay.queues();
    Optional<Handover.Kept> kept = queues.handover().kept(input.clientId());
    return new Output(
        "success",
        "Subscribed client '%s' to %d topics.".formatted(input.clientId(), input.topics().size()),
        queues.epoch(),
        queues.limits().messages(),
        subscribed.topics(),
        subscribed.cursor(),
        gap.orElse(null),
        kept.map(Handover.Kept::messages).orElse(null),
        subscribed.pollingSince(),
        relay.addressees().alsoAt(input.clientId()),
        withheld ? List.of("mad.direct.*") : null,
        kept.map(SubscribeTool::note).orElse(null));
  }

  private static String note(Handover.Kept kept) {
    return "%s to you waited in the archive, the oldest since %s: look at their timestamps before you act."
        .formatted(
            kept.messages() == 1 ? "1 message" : kept.messages() + " messages",
            Timestamps.format(kept.oldest()));
  }

  private static Optional<Refusal> readTopics(List<String> texts, List<ChannelPattern> topics) {
    for (int i = 0; i < texts.size(); i++) {
      Optional<ChannelPattern> topic = ChannelPattern.parse(texts.get(i));
      if (topic.isEmpty()) {
        return Optional.of(Refusal.invalidInput("topics[%d]".formatted(i), ChannelPattern.RULE));
      }
      topics.add(topic.get());
    }
    return Optional.empty();
  }

  public record UnsubscribeInput(
      @Name(RelayParts.CLIENT) String clientId,
      @SchemaHint(min = 1, max = ClientQueues.MAX_TOPICS, example = "[\"mad.topic.news\"]")
          @Nullable List<String> topics) {}

  public record UnsubscribeOutput(
      String status, @SchemaHint("What you still follow") List<String> topics) {}

  public Tool<UnsubscribeInput> unsubscribing() {
    return new Tool<>(
        "grace_unsubscribe",
        "Unsubscribe",
        "Gives up the named topics, or, without topics, all of them and the queue with what waits"
            + " in it.",
        UnsubscribeInput.class,
        UnsubscribeOutput.class,
        Tool.Audience.MODEL,
        Role.VIEWER,
        new ToolHints(false, true, true, false),
        relay.acting(UnsubscribeInput::clientId, this::unsubscribe));
  }

  private CompletableFuture<ToolResult> unsubscribe(UnsubscribeInput input, ToolCall call) {
    List<ChannelPattern> topics = new ArrayList<>();
    Optional<Refusal> refusal =
        readTopics(Objects.requireNonNullElse(input.topics(), List.of()), topics);
    if (refusal.isPresent()) {
      return ToolResult.refused(refusal.get());
    }
    List<String> left = relay.queues().unsubscribe(input.clientId(), topics);
    if (left == null) {
      return CompletableFuture.completedFuture(
          RelayParts.notSubscribed(input.clientId(), Optional.empty()));
    }
    relay.presence().announceLeft();
    return ToolResult.success(new UnsubscribeOutput("success", left));
  }
}
