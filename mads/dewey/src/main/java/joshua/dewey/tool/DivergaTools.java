package joshua.dewey.tool;

import static java.util.Objects.requireNonNullElse;
import static java.util.Objects.requireNonNullElseGet;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import joshua.dewey.mail.MailStore;
import joshua.dewey.thread.PostOutbox;
import joshua.dewey.thread.ThreadStatus;
import joshua.dewey.thread.ThreadStore;
import joshua.dewey.thread.ThreadStore.Head;
import joshua.dewey.thread.ThreadStore.Post;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.MonotonicIds;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Name;
import joshua.network.RawJson;
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
 * The messaging tools of Diverga 9 under their own names: agents register, and write to one another
 * or to all. A message is a post to the thread of its two agents, so it is mail like any other.
 */
public record DivergaTools(
    ServiceContext context,
    Database database,
    MailTools mail,
    MonotonicIds ids,
    PostOutbox outbox) {
  public static final String SET = "diverga-comm";
  public static final String INSTRUCTIONS =
      "Agents register, send messages to one another or to all, and read their mailbox.";

  private static final int MAX_AGENTS = 1_000;
  private static final int MAX_BYTES = 64 * 1024;
  private static final int DEFAULT_LIMIT = 50;
  private static final int MAX_PAGE = 900_000; // a call by the bus can answer it
  private static final String TEXT = "text";
  private static final String METADATA = "metadata";
  private static final String BROADCAST = "broadcast";
  private static final String TYPE = "messages"; // which no other thread has
  private static final String TOO_LONG = "must have at most %d bytes".formatted(MAX_BYTES);
  private static final Duration ON_THE_WAY = Duration.ofSeconds(5);

  /** All of them. */
  public List<Tool<?>> tools() {
    return List.of(
        tool(
            "diverga_agent_register",
            "Register an agent",
            "Registers an agent for broadcasts, with metadata such as its category, model or"
                + " status; again to change some.",
            Register.class,
            Registered.class,
            Role.OPERATOR,
            this::register),
        tool(
            "diverga_agent_list",
            "List agents",
            "The registered agents with their metadata; filters are members that must be equal.",
            Filter.class,
            Agents.class,
            Role.VIEWER,
            (input, call) -> call.runBlocking(() -> list(input))),
        tool(
            "diverga_message_send",
            "Send a message",
            "Sends a message from one agent to another, who needn't be there; it is kept.",
            Send.class,
            Sent.class,
            Role.OPERATOR,
            this::send),
        tool(
            "diverga_message_mailbox",
            "Read a mailbox",
            "The unread messages to an agent, oldest first, which are read then. With unread_only"
                + " false all that are kept, which changes nothing.",
            Mailbox.class,
            Messages.class,
            Role.VIEWER,
            this::read),
        tool(
            "diverga_message_acknowledge",
            "Acknowledge a message",
            "Acknowledges a message, perhaps with a response; its sender is told.",
            Acknowledge.class,
            Acknowledged.class,
            Role.VIEWER,
            this::acknowledge),
        tool(
            "diverga_message_broadcast",
            "Send a message to all agents",
            "Sends a message to every other registered agent, or to none if that fails.",
            Broadcast.class,
            Told.class,
            Role.OPERATOR,
            this::broadcast));
  }

  private static <I extends Record> Tool<I> tool(
      String name,
      String title,
      String description,
      Class<I> input,
      Class<? extends Record> output,
      Role role,
      Tool.Function<I> function) {
    ToolHints hints = new ToolHints(input == Filter.class, false, false, false);
    return new Tool<>(
        name, title, description, input, output, Tool.Audience.PROGRAM, role, hints, function);
  }

  /** The refusal of a caller that may not act as an agent, or of metadata that is too long. */
  private Optional<Refusal> refuse(
      ToolCall call, String member, String agent, @Nullable ObjectNode metadata) {
    return context
        .access()
        .refuseActingAs(call.caller(), member, agent)
        .or(() ->
            Optional.ofNullable(metadata)
                .filter(given -> Json.bytes(given).length > MAX_BYTES)
                .map(given -> Refusal.invalidInput("metadata", TOO_LONG)));
  }

  record Register(@Name String agentId, @Nullable ObjectNode metadata) {}

  record Registered(String status, boolean registered, String agentId) {}

  private CompletableFuture<ToolResult> register(Register input, ToolCall call) {
    return refuse(call, "agent_id", input.agentId(), input.metadata())
        .map(ToolResult::refused)
        .orElseGet(() -> call.runBlocking(() -> database.write(tx -> register(tx, input))));
  }

  private ToolResult register(Transaction tx, Register input) {
    String agent = input.agentId();
    if (tx.number("select count(*) from agent where agent_id <> ?", agent) >= MAX_AGENTS) {
      String sentence = "There are %d agents, which is the most.".formatted(MAX_AGENTS);
      return ParticipantTools.refused(ErrorCode.CONFLICT, sentence);
    }
    Instant now = context.time().instant();
    MailStore.joined(tx, agent, now); // so that acknowledgements are kept for it
    int changed =
        tx.update(
            """
            insert into agent values (?, json_patch('{}', ?), ?) on conflict do update
            set metadata = json_patch(metadata, excluded.metadata)
            where octet_length(json_patch(metadata, excluded.metadata)) <= ?
            """,
            agent,
            requireNonNullElseGet(input.metadata(), Json::object).toString(),
            now,
            MAX_BYTES);
    return changed == 0
        ? ParticipantTools.invalid("metadata", TOO_LONG)
        : new ToolResult.Success(new Registered("success", true, agent));
  }

  record Filter(@SchemaHint(example = "{\"status\":\"active\"}") @Nullable ObjectNode filters) {}

  record Agents(String status, List<ObjectNode> agents) {}

  private ToolResult list(Filter input) {
    String filters = requireNonNullElseGet(input.filters(), Json::object).toString();
    return new ToolResult.Success(
        new Agents(
            "success",
            database.read(tx ->
                tx.rows(
                    ObjectNode.class,
                    """
                    select shown from (
                      select registered_at, json_patch(metadata, json_object('agent_id', agent_id,
                        'registered_at', strftime('%FT%TZ', registered_at / 1000, 'unixepoch')
                      )) as shown from agent)
                    where json_patch(shown, ?) = shown order by registered_at
                    """,
                    filters))));
  }

  record Send(
      @Name String from,
      @Name String to,
      @SchemaHint(min = 1, max = MAX_BYTES) String content,
      @Nullable ObjectNode metadata) {}

  record Sent(String status, boolean sent, UUID messageId) {}

  private CompletableFuture<ToolResult> send(Send input, ToolCall call) {
    if (context.access().isService(input.to()) || input.to().equals(input.from())) {
      return ToolResult.refused(Refusal.invalidInput("to", "must be another agent"));
    }
    return post(
        call,
        input.from(),
        input.metadata(),
        Json.object().put(TEXT, input.content()),
        tx -> List.of(input.to()),
        ids -> new Sent("success", true, ids.getFirst()));
  }

  record Broadcast(
      @Name String from,
      @SchemaHint(min = 1, max = MAX_BYTES) String content,
      @Nullable ObjectNode metadata) {}

  record Told(String status, boolean sent, int recipientCount) {}

  private CompletableFuture<ToolResult> broadcast(Broadcast input, ToolCall call) {
    return post(
        call,
        input.from(),
        input.metadata(),
        Json.object().put(TEXT, input.content()).put(BROADCAST, true),
        tx -> tx.rows(String.class, "select agent_id from agent where agent_id <> ?", input.from()),
        ids -> new Told("success", true, ids.size()));
  }

  /** Posts to the threads of an agent and some others, and waits until that is in their mail. */
  private CompletableFuture<ToolResult> post(
      ToolCall call,
      String from,
      @Nullable ObjectNode metadata,
      ObjectNode body,
      Function<Transaction, List<String>> recipients,
      Function<List<UUID>, Record> answer) {
    if (metadata != null) {
      body.set(METADATA, metadata);
    }
    return refuse(call, "from", from, metadata)
        .map(ToolResult::refused)
        .orElseGet(() ->
            call.runBlocking(() -> {
              List<UUID> posted =
                  database.write(tx ->
                      recipients.apply(tx).stream().map(to -> post(tx, from, to, body)).toList());
              if (!posted.isEmpty()) {
                outbox.awaitMail(posted.getLast(), ON_THE_WAY);
              }
              return new ToolResult.Success(answer.apply(posted));
            }));
  }

  /** Posts to the thread of two agents, a new one if there is none, or it is closed. */
  private UUID post(Transaction tx, String from, String to, ObjectNode body) {
    List<String> pair = Stream.of(from, to).sorted().toList();
    String title = "Messages of %s and %s".formatted(pair.getFirst(), pair.getLast());
    Instant now = context.time().instant();
    Optional<Head> open =
        tx.row(
                UUID.class,
                """
                select thread_id from thread where title = ? and type = ? and status <> 'CLOSED'
                """,
                title,
                TYPE)
            .flatMap(id -> ThreadStore.find(tx, id));
    Head head =
        open.orElseGet(
            () -> new Head(ids.next(), title, TYPE, ThreadStatus.ACTIVE, from, now, now, 0));
    if (open.isEmpty()) {
      ThreadStore.create(tx, head, pair);
    }
    Post post = new Post(head.lastSeq() + 1, ids.next(), from, "chat", null, now, body);
    ThreadStore.add(tx, head.threadId(), post, null, head.status());
    return post.messageId();
  }

  record Mailbox(
      @Name String agentId,
      @SchemaHint(min = 1, max = 500) @Nullable Integer limit,
      @SchemaHint("true if left out") @Nullable Boolean unreadOnly,
      @SchemaHint("Only what came after this message") @Nullable UUID after) {}

  record Messages(
      String status,
      @SchemaHint("Oldest first") List<Shown> messages,
      @SchemaHint("How many come after these") long remaining) {
    static Messages of(MailTools.Output page) {
      return new Messages(
          "success", page.messages().stream().map(Shown::of).toList(), page.remaining());
    }
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Shown(
      String messageId,
      @JsonProperty("from") String sender,
      @JsonProperty("to") String recipient,
      String content,
      ObjectNode metadata,
      String status,
      boolean broadcast,
      String sentAt,
      @Nullable Instant acknowledgedAt,
      @Nullable String response) {
    static Shown of(Message message) {
      JsonNode envelope = Json.parseTrusted(message.envelope().utf8());
      JsonNode payload = envelope.path("payload");
      JsonNode text = payload.path(TEXT);
      RawJson raw = message.response();
      JsonNode response = raw == null ? Json.object() : Json.parseTrusted(raw.utf8());
      String read = "collected".equals(message.state()) ? "read" : "unread";
      return new Shown(
          envelope.path("message_id").asText(),
          envelope.path("sender_id").asText(),
          envelope.path("recipient_id").asText(),
          text.isTextual() ? text.textValue() : payload.toString(),
          payload.path(METADATA) instanceof ObjectNode metadata ? metadata : Json.object(),
          message.acknowledgedAt() == null ? read : "acknowledged",
          payload.path(BROADCAST).asBoolean(),
          envelope.path("timestamp").asText(),
          message.acknowledgedAt(),
          response.path(TEXT).textValue());
    }
  }

  private CompletableFuture<ToolResult> read(Mailbox input, ToolCall call) {
    boolean unreadOnly = requireNonNullElse(input.unreadOnly(), true);
    int limit = requireNonNullElse(input.limit(), DEFAULT_LIMIT);
    Optional<Refusal> forbidden = refuse(call, "agent_id", input.agentId(), null);
    if (forbidden.isPresent()) {
      return ToolResult.refused(forbidden.get());
    }
    return mail.begin(
            new MailTools.Input(
                input.agentId(), unreadOnly, unreadOnly, input.after(), limit, MAX_PAGE),
            call)
        .thenApply(result ->
            result instanceof ToolResult.Success(MailTools.Output page, _, var written)
                ? new ToolResult.Success(Messages.of(page), written)
                : result);
  }

  record Acknowledge(
      UUID messageId,
      @SchemaHint(value = "For its sender; needs the role operator", max = MAX_BYTES)
          @Nullable String response) {}

  record Acknowledged(String status, boolean acknowledged, UUID messageId) {}

  private CompletableFuture<ToolResult> acknowledge(Acknowledge input, ToolCall call) {
    UUID id = input.messageId();
    String text = input.response();
    ObjectNode response = text == null ? null : Json.object().put(TEXT, text);
    String self = call.caller().identity().orElse(null);
    return database
        .submit(tx ->
            tx.rows(
                String.class,
                """
                select distinct recipient from mail
                where message_id = ?1 and (?2 is null or recipient = ?2)
                """,
                id,
                self))
        .thenCompose(recipients ->
            recipients.size() == 1
                ? mail.begin(new MailTools.Acknowledge(recipients.getFirst(), id, response), call)
                : ToolResult.refused(
                    Refusal.of(
                        ErrorCode.UNKNOWN_MESSAGE,
                        "No message %s to one agent is kept.".formatted(id))))
        .thenApply(result ->
            result instanceof ToolResult.Success
                ? new ToolResult.Success(new Acknowledged("success", true, id))
                : result);
  }
}
