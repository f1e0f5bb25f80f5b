package joshua.dewey.tool;

import static java.util.Objects.requireNonNullElse;
import static joshua.dewey.tool.ParticipantTools.invalid;
import static joshua.dewey.tool.ParticipantTools.refused;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.SendResult;
import joshua.dewey.mail.ExpiredMail;
import joshua.dewey.mail.MailStore;
import joshua.dewey.mail.MailStore.Acknowledgement;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.kernel.Timestamps;
import joshua.network.Name;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import joshua.service.ServiceContext;
import joshua.state.Database;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The tools of a participant for what was sent to it: {@code dewey_mail} shows the messages that
 * wait for it, and {@code dewey_acknowledge} answers one formally.
 *
 * @param tell sends what the sender of an acknowledged message is told
 */
public record MailTools(
    ServiceContext context, Database database, Function<OutgoingMessage, SendResult> tell)
    implements ParticipantTools {
  private static final int DEFAULT_LIMIT = 50;
  private static final int MAX_RESPONSE_BYTES = 64 * 1024;

  public List<Tool<?>> tools() {
    return List.of(
        new Tool<>(
            "dewey_mail",
            "Mail",
            "The direct messages to a participant that it hasn't collected, oldest first: what was"
                + " sent while it was away. Looking changes nothing; collect takes them.",
            Input.class,
            Output.class,
            Tool.Audience.MODEL,
            Role.VIEWER,
            new ToolHints(false, false, false, false),
            this::begin),
        new Tool<>(
            "dewey_acknowledge",
            "Acknowledge a message",
            "Answers a direct message to you formally, and collects it; its sender is told.",
            Acknowledge.class,
            Acknowledged.class,
            Tool.Audience.MODEL,
            Role.VIEWER,
            new ToolHints(false, false, true, false),
            this::begin));
  }

  record Input(
      @Name(SELF) String clientId,
      @SchemaHint("false: also what you have collected") @Nullable Boolean unreadOnly,
      @SchemaHint("Take these: they don't wait any more") @Nullable Boolean collect,
      @SchemaHint("Only what came after this message") @Nullable UUID after,
      @SchemaHint(min = 1, max = 500) @Nullable Integer limit,
      @SchemaHint(value = "Of messages", min = 1, max = Message.MAX_BYTES)
          @Nullable Integer maxBytes) {}

  record Output(
      String status,
      @SchemaHint("Oldest first") List<Message> messages,
      @SchemaHint("How many come after these") long remaining,
      @SchemaHint("How many went before you collected them: too old, or too many") long expired) {}

  CompletableFuture<ToolResult> begin(Input input, ToolCall call) {
    String name = input.clientId();
    return requireNonNullElse(input.collect(), false)
        ? actingAs(name, call, () -> database.write(tx -> page(tx, input, call, true)))
        : readingAs(name, call, () -> database.read(tx -> page(tx, input, call, false)));
  }

  private ToolResult page(Transaction tx, Input input, ToolCall call, boolean collects) {
    String name = input.clientId();
    UUID id = input.after();
    Optional<Long> after = id == null ? Optional.of(0L) : MailStore.position(tx, name, id);
    if (after.isEmpty()) {
      return invalid("after", "must be the id of a message to %s that is kept".formatted(name));
    }
    boolean unreadOnly = collects || requireNonNullElse(input.unreadOnly(), true);
    int limit = requireNonNullElse(input.limit(), DEFAULT_LIMIT);
    List<Message> page =
        Message.fitting(
            MailStore.page(tx, name, unreadOnly, after.get(), limit),
            Message.room(input.maxBytes(), call));
    long last = page.isEmpty() ? after.get() : page.getLast().position();
    long remaining = MailStore.count(tx, name, unreadOnly, last, Long.MAX_VALUE);
    long expired = ExpiredMail.count(tx, name);
    Output output = new Output("success", page, remaining, expired);
    if (!collects) {
      return new ToolResult.Success(output);
    }
    List<Long> positions = page.stream().map(Message::position).toList();
    MailStore.collect(tx, name, positions, context.time().instant());
    return new ToolResult.Success(
        output,
        written -> {
          // What nobody has read isn't collected.
          var _ =
              database.submit(later ->
                  written
                      ? ExpiredMail.forget(later, name, expired)
                      : MailStore.restore(later, name, positions));
        });
  }

  record Acknowledge(
      @Name(SELF) String clientId,
      UUID messageId,
      @SchemaHint("An answer for its sender; needs the role operator")
          @Nullable ObjectNode response) {}

  record Acknowledged(String status, Instant acknowledgedAt) {}

  CompletableFuture<ToolResult> begin(Acknowledge input, ToolCall call) {
    return actingAs(input.clientId(), call, () -> acknowledge(input, call.caller().role()));
  }

  private ToolResult acknowledge(Acknowledge input, Role role) {
    String name = input.clientId();
    UUID id = input.messageId();
    ObjectNode response = input.response();
    String text = response == null ? null : response.toString();
    if (response != null && !role.includes(Role.OPERATOR)) {
      return refused(
          ErrorCode.FORBIDDEN,
          "response needs the role operator, and the caller's is %s.".formatted(role.word()));
    } else if (response != null && Json.bytes(response).length > MAX_RESPONSE_BYTES) {
      return invalid("response", "must have at most %d bytes".formatted(MAX_RESPONSE_BYTES));
    }
    Instant now = context.time().instant();
    Optional<Acknowledgement> found =
        database.write(tx -> MailStore.acknowledge(tx, name, id, now, text));
    if (found.isEmpty()) {
      return refused(ErrorCode.UNKNOWN_MESSAGE, "No message %s to %s is kept.".formatted(id, name));
    }
    Acknowledgement it = found.get();
    if (!Objects.equals(it.response(), text)) {
      String when = Timestamps.format(it.at());
      return refused(
          ErrorCode.CONFLICT, "You acknowledged it at %s with another response.".formatted(when));
    }
    if (it.isNew() && tell.apply(notice(it.senderId(), input)) instanceof SendResult.Refused no) {
      database.write(tx -> MailStore.withdraw(tx, name, id)); // its sender doesn't know
      return new ToolResult.Refused(no.refusal());
    }
    return new ToolResult.Success(new Acknowledged("success", it.at()));
  }

  private static OutgoingMessage notice(String sender, Acknowledge input) {
    ObjectNode payload =
        Json.object()
            .put("notification_type", "acknowledged")
            .put("message_id", input.messageId().toString())
            .put("recipient", input.clientId());
    if (input.response() != null) {
      payload.set("response", input.response());
    }
    return OutgoingMessage.to(sender, payload);
  }
}
