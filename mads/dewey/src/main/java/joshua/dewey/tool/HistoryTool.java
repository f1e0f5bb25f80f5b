package joshua.dewey.tool;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import joshua.dewey.archive.ArchiveStore;
import joshua.dewey.archive.ArchiveStore.Selection;
import joshua.dewey.archive.Visibility;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import joshua.service.ServiceContext;
import joshua.state.Database;
import joshua.state.Transaction;
import joshua.state.WatchedTime;
import org.jspecify.annotations.Nullable;

/** The tool {@code dewey_history}: what was said, as far as its caller may read it. */
public record HistoryTool(ServiceContext context, Database database) {
  private static final int DEFAULT_LIMIT = 50;

  record Input(
      @SchemaHint(value = "What was said there", max = 164) @Nullable String channel,
      @SchemaHint(value = "What it said, and what was said to it", max = 128)
          @Nullable String participant,
      @Nullable UUID conversationId,
      @SchemaHint("A question and its answers") @Nullable UUID correlationId,
      @SchemaHint("Not before this time") @Nullable Instant since,
      @SchemaHint("Before this time") @Nullable Instant until,
      @SchemaHint(value = "Before this position: that of the last answer", min = 1)
          @Nullable Long before,
      @SchemaHint(min = 1, max = 500) @Nullable Integer limit,
      @SchemaHint(value = "Of messages", min = 1, max = Message.MAX_BYTES)
          @Nullable Integer maxBytes) {}

  record Output(
      String status,
      List<Message> messages,
      @JsonInclude(JsonInclude.Include.NON_NULL)
          @SchemaHint("There are more: ask again with this; absent at the end")
          @Nullable Long before,
      @SchemaHint("When these may not be all") List<String> caveats) {}

  public Tool<Input> tool() {
    return new Tool<>(
        "dewey_history",
        "What was said",
        "What was said on a channel or by and to a participant, newest first, or in a conversation"
            + " or correlation, in its order. Direct messages of others are left out. A message's"
            + " position is its place in the order of the bus.",
        Input.class,
        Output.class,
        Tool.Audience.MODEL,
        Role.VIEWER,
        ToolHints.READS,
        this::begin);
  }

  private CompletableFuture<ToolResult> begin(Input input, ToolCall call) {
    long keys =
        Stream.of(
                input.channel() != null,
                input.participant() != null,
                input.conversationId() != null,
                input.correlationId() != null)
            .filter(given -> given)
            .count();
    if (keys != 1) {
      return ToolResult.refused(
          Refusal.invalidInput(
              "input",
              "must have one of channel, participant, conversation_id and correlation_id, for"
                  + " example {\"channel\":\"mad.broadcast\"}; it has %d".formatted(keys)));
    }
    Visibility reader = Visibility.of(call.caller(), context::readsOthersDirect);
    return call.runBlocking(
        () -> new ToolResult.Success(database.read(tx -> output(tx, input, reader, call))));
  }

  private Output output(Transaction tx, Input input, Visibility reader, ToolCall call) {
    long from = input.since() == null ? 0 : ArchiveStore.positionAt(tx, input.since());
    long until =
        input.until() == null ? Long.MAX_VALUE : ArchiveStore.positionAt(tx, input.until());
    int limit = requireNonNullElse(input.limit(), DEFAULT_LIMIT);
    List<Message> found =
        ArchiveStore.find(
                tx,
                new Selection(
                    input.channel(),
                    input.participant(),
                    text(input.conversationId()),
                    text(input.correlationId()),
                    from,
                    Math.min(until, requireNonNullElse(input.before(), Long.MAX_VALUE)),
                    limit + 1),
                reader)
            .stream()
            .map(Message::of)
            .toList();
    List<Message> page =
        Message.fitting(found.stream().limit(limit).toList(), input.maxBytes(), call);
    Long before = page.size() == found.size() ? null : page.getLast().position();
    boolean isConversation = input.channel() == null && input.participant() == null;
    return new Output(
        "success",
        isConversation ? page.reversed() : page,
        before,
        caveats(
            tx,
            before == null ? input.since() : page.getLast().heardAt(),
            input.until(),
            context.time().instant()));
  }

  private static @Nullable String text(@Nullable UUID id) {
    return id == null ? null : id.toString();
  }

  /** What may be missing from an answer about a span of time. */
  static List<String> caveats(
      Transaction tx, @Nullable Instant since, @Nullable Instant until, Instant now) {
    List<String> caveats =
        new ArrayList<>(
            WatchedTime.caveats(
                tx,
                requireNonNullElse(since, Instant.EPOCH),
                until,
                "Dewey",
                "keeping what was said"));
    if (until != null && until.isAfter(now)) {
      caveats.add("until is yet to come: this is what there was until now.");
    }
    return caveats;
  }
}
