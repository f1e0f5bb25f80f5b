package joshua.dewey.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import joshua.conversation.envelope.Channel;
import joshua.dewey.archive.ArchiveStore;
import joshua.dewey.archive.Visibility;
import joshua.dewey.mail.ExpiredMail;
import joshua.dewey.mail.KeptMessage;
import joshua.dewey.mail.MailStore;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.kernel.Timestamps;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import joshua.service.ServiceContext;
import joshua.state.Database;
import joshua.state.Transaction;

/**
 * The tool {@code dewey_trace}: what became of a message.
 *
 * @param lastSeen when a participant was last there, if that is known
 */
public record TraceTool(
    ServiceContext context, Database database, Function<String, Optional<Instant>> lastSeen) {
  private static final String ANSWERED = "answered";

  private static final String STEPS =
      """
      select state, at, clock, evidence from (
        select 1 as step, 'published' as state,
          cast(round(unixepoch(body ->> 'timestamp', 'subsec') * 1000) as integer) as at,
          sender_id as clock, 'its timestamp' as evidence
        from message where position = ?1
        union all select 2, 'kept', heard_at, 'dewey', 'position ' || position
        from message where position = ?1
        union all select 3, 'given', given_at, 'dewey', 'by ' || given_by
        from message join mail using (message_id, position) where position = ?1
        union all select 4, 'collected', collected_at, 'dewey', 'by ' || collected_by
        from message join mail using (message_id, position) where position = ?1
        union all select 5, 'acknowledged', acknowledged_at, 'dewey',
          'by ' || recipient || iif(response is null, '', ' with a response')
        from message join mail using (message_id, position) where position = ?1
        union all select * from (
          select 6, 'answered', a.heard_at, 'dewey', 'message ' || a.message_id
          from message q join message a
            on q.channel = 'mad.direct.' || a.sender_id and a.channel = 'mad.direct.' || q.sender_id
            and (a.correlation_id = q.correlation_id or a.conversation_id = q.conversation_id)
          where q.position = ?1 and a.position > ?1
          order by a.correlation_id <> q.correlation_id, a.position limit 1)
      ) where at is not null order by step
      """;

  record Input(UUID messageId) {}

  record Step(
      @SchemaHint("published, kept, given, collected, acknowledged, answered") String state,
      Instant at,
      @SchemaHint("Whose clock says so") String by,
      String evidence) {}

  record Output(
      String status,
      Message message,
      @SchemaHint("In this order, as far as it has come") List<Step> steps,
      @SchemaHint("What is to come") String next) {}

  public Tool<Input> tool() {
    return new Tool<>(
        "dewey_trace",
        "What became of a message",
        "Says whether a message is kept, was collected by its recipient, and was answered.",
        Input.class,
        Output.class,
        Tool.Audience.MODEL,
        Role.VIEWER,
        ToolHints.READS,
        this::begin);
  }

  private CompletableFuture<ToolResult> begin(Input input, ToolCall call) {
    String id = input.messageId().toString();
    Visibility reader = Visibility.of(call.caller(), context::readsOthersDirect);
    return call.runBlocking(() ->
        database
            .read(tx -> ArchiveStore.withId(tx, id, reader).map(kept -> output(tx, kept, call)))
            .<ToolResult>map(ToolResult.Success::new)
            .orElseGet(() -> unknown(id)));
  }

  /** One answer for what isn't kept and what isn't the caller's. */
  private static ToolResult unknown(String id) {
    return new ToolResult.Refused(
        Refusal.of(
            ErrorCode.UNKNOWN_MESSAGE,
            "No message %s of yours is kept; one of the last second may not be yet."
                .formatted(id)));
  }

  private Output output(Transaction tx, KeptMessage kept, ToolCall call) {
    List<Step> steps = tx.rows(Step.class, STEPS, kept.position());
    Message message = Message.fitting(List.of(Message.of(kept)), null, call).getFirst();
    return new Output("success", message, steps, next(tx, kept, steps.getLast().state()));
  }

  private String next(Transaction tx, KeptMessage kept, String lastStep) {
    JsonNode envelope = Json.parseTrusted(Message.raw(kept.body()).utf8());
    Channel channel = new Channel(envelope.path("channel").asText());
    if (channel.recipient().isEmpty()) {
      return "It was for all who follow %s; who read it isn't known.".formatted(channel.name());
    }
    String recipient = channel.recipient().get();
    if (lastStep.equals(ANSWERED)) {
      return "%s has answered.".formatted(recipient);
    } else if (kept.state() == null) {
      return recipient + noMail(tx, recipient, kept.heardAt(), envelope.path("payload"));
    } else if (!kept.state().equals("waiting")) {
      return "%s has it, and hasn't answered.".formatted(recipient);
    }
    String seen =
        lastSeen
            .apply(recipient)
            .map(at -> ", and was last there at %s.".formatted(Timestamps.format(at)))
            .or(() -> MailStore.firstJoin(tx, recipient).map(at -> "."))
            .orElse(", and was never heard.");
    return "%s hasn't collected it%s".formatted(recipient, seen);
  }

  /** Why a direct message isn't in its recipient's mail. */
  private String noMail(Transaction tx, String recipient, Instant heard, JsonNode payload) {
    boolean isAnswer = payload.has("status") || payload.has("notification_type");
    if (context.access().isService(recipient)) {
      return " is a service, which has no mail.";
    } else if (isAnswer
        && MailStore.firstJoin(tx, recipient).filter(at -> !at.isAfter(heard)).isEmpty()) {
      return " had never been heard, so this answer isn't in its mail.";
    }
    boolean expired = ExpiredMail.count(tx, recipient) > 0;
    return expired ? " didn't collect it, and its copy has expired." : " has no copy of it.";
  }
}
