package joshua.dewey.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import joshua.dewey.mail.KeptMessage;
import joshua.dewey.mail.MailStore;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Caller;
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
import joshua.state.WatchedTime;
import org.jspecify.annotations.Nullable;

/**
 * The tools by which a relay hands mail over: {@code dewey_fetch} gives it what a client of it has
 * yet to collect, and by {@code dewey_receipts} it, or a participant itself, says what was given
 * and collected.
 *
 * @param storedPosition of the last message before a call by the bus, when the call begins
 */
public record HandoverTools(
    ServiceContext context, Database database, LongSupplier storedPosition) {
  private static final int MAX_IDS = 1_000;
  private static final String GIVEN = "given";
  private static final String COLLECTED = "collected";

  public List<Tool<?>> tools() {
    return List.of(
        new Tool<>(
            "dewey_fetch",
            "Fetch mail for a client",
            "For relays: what a client has yet to collect. It stays uncollected.",
            Fetch.class,
            Page.class,
            Tool.Audience.PROGRAM,
            Role.OPERATOR,
            new ToolHints(false, false, true, false),
            this::fetch),
        new Tool<>(
            "dewey_receipts",
            "Take receipts",
            "For relays and for who listens by itself: what was given, and what was collected.",
            Receipts.class,
            Taken.class,
            Tool.Audience.PROGRAM,
            Role.OPERATOR,
            new ToolHints(false, false, true, false),
            this::receive));
  }

  record Fetch(
      @Name String clientId,
      @SchemaHint(min = 1, max = 500) int limit,
      @SchemaHint(min = 1, max = 900_000) int maxBytes,
      @SchemaHint("Of this client: collected, which need not be known yet")
          @Nullable List<UUID> collected,
      @SchemaHint("The last that the client had of an earlier queue") @Nullable UUID had,
      @SchemaHint("When the client may have missed something") @Nullable Instant since) {}

  record Page(
      String status,
      @SchemaHint("Envelopes, oldest first") List<RawJson> messages,
      long remaining,
      @SchemaHint("Ids of those that were given to the client before") List<String> given,
      @SchemaHint("Whether all that was sent to it since then was kept") boolean complete) {}

  private CompletableFuture<ToolResult> fetch(Fetch input, ToolCall call) {
    if (!isRelay(call.caller())) {
      String rule = "Only a relay fetches the mail of others; take your own by dewey_mail.";
      return ToolResult.refused(Refusal.of(ErrorCode.FORBIDDEN, rule));
    }
    String relay = call.caller().identity().orElseThrow();
    Instant now = context.time().instant();
    long through = storedPosition.getAsLong(); // what is stored meanwhile comes to the relay itself
    return call.runBlocking(
        () -> new ToolResult.Success(database.write(tx -> page(tx, input, through, relay, now))));
  }

  private static Page page(Transaction tx, Fetch input, long through, String relay, Instant now) {
    String client = input.clientId();
    if (input.collected() != null) {
      MailStore.collect(tx, client, Json.mapper().valueToTree(input.collected()), now, relay);
    }
    if (input.had() != null) {
      MailStore.collectGiven(tx, client, input.had(), input.since(), now, relay);
    }
    List<KeptMessage> waiting =
        MailStore.page(tx, client, true, 0, input.limit()).stream()
            .takeWhile(message -> message.position() <= through)
            .toList();
    List<Message> page = Message.fitting(waiting, input.maxBytes());
    List<String> given =
        waiting.stream()
            .limit(page.size())
            .filter(message -> "given".equals(message.state()))
            .map(KeptMessage::messageId)
            .toList();
    boolean complete =
        input.since() == null
            || WatchedTime.caveats(tx, input.since(), null, "Dewey", "keeping").isEmpty();
    long last = page.isEmpty() ? 0 : page.getLast().position();
    long remaining = MailStore.count(tx, client, true, last, through);
    List<RawJson> messages = page.stream().map(Message::envelope).toList();
    return new Page("success", messages, remaining, given, complete);
  }

  private boolean isRelay(Caller caller) {
    return caller.identity().filter(context.access()::isService).isPresent();
  }

  record Receipts(
      @SchemaHint("By name, the ids of what it was given") @Nullable ObjectNode given,
      @SchemaHint(
              value = "By name, the ids of what it has collected",
              example = "{\"ann\":[\"01890a5d-ac96-774b-bcce-b302099a8057\"]}")
          @Nullable ObjectNode collected) {}

  record Taken(String status, @SchemaHint("How many weren't known to be") int collected) {}

  private CompletableFuture<ToolResult> receive(Receipts input, ToolCall call) {
    List<Receipt> receipts =
        Stream.concat(Receipt.of(GIVEN, input.given()), Receipt.of(COLLECTED, input.collected()))
            .toList();
    for (Receipt each : receipts) {
      Optional<Refusal> refusal = refuse(each, call.caller());
      if (refusal.isPresent()) {
        return ToolResult.refused(refusal.get());
      }
    }
    String by = call.caller().identity().orElse("");
    Instant now = context.time().instant();
    return call.runBlocking(() -> {
      int collected =
          database.write(tx -> receipts.stream().mapToInt(each -> each.store(tx, now, by)).sum());
      return new ToolResult.Success(new Taken("success", collected));
    });
  }

  private Optional<Refusal> refuse(Receipt receipt, Caller caller) {
    if (!receipt.ids().isArray() || receipt.ids().size() > MAX_IDS) {
      String rule = "must have arrays of at most %d ids, by name".formatted(MAX_IDS);
      return Optional.of(Refusal.invalidInput(receipt.member(), rule));
    }
    return isRelay(caller)
        ? Optional.empty()
        : context.access().refuseActingAs(caller, receipt.member(), receipt.name());
  }

  private record Receipt(String member, String name, JsonNode ids) {
    static Stream<Receipt> of(String member, @Nullable ObjectNode byName) {
      return byName == null
          ? Stream.empty()
          : byName.properties().stream()
              .map(each -> new Receipt(member, each.getKey(), each.getValue()));
    }

    /** Returns how many messages weren't known to be collected. */
    int store(Transaction tx, Instant now, String by) {
      if (member.equals(COLLECTED)) {
        return MailStore.collect(tx, name, ids, now, by);
      }
      MailStore.give(tx, name, ids, now, by);
      return 0;
    }
  }
}
