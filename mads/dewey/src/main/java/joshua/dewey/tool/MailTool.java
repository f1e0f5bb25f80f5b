package joshua.dewey.tool;

import static java.util.Objects.requireNonNullElse;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import joshua.dewey.mail.ExpiredMail;
import joshua.dewey.mail.MailStore;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Name;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import joshua.service.ServiceContext;
import joshua.state.Database;
import joshua.state.Job;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/** The tool {@code dewey_mail}: the direct messages of a participant that wait for it. */
public final class MailTool {
  private static final int DEFAULT_LIMIT = 50;

  private final ServiceContext context;
  private final Database database;

  public MailTool(ServiceContext context, Database database) {
    this.context = context;
    this.database = database;
  }

  record Input(
      @Name("Your name on the bus") String clientId,
      @SchemaHint("false: also what you have collected") @Nullable Boolean unreadOnly,
      @SchemaHint("Take these: they don't wait any more") @Nullable Boolean collect,
      @SchemaHint("Only what came after this message") @Nullable UUID after,
      @SchemaHint(min = 1, max = 500) @Nullable Integer limit,
      @SchemaHint(value = "Of messages", min = 1, max = Message.MAX_BYTES)
          @Nullable Integer maxBytes) {}

  record Output(
      String status,
      @SchemaHint("Oldest first") List<Message> messages,
      @SchemaHint("How many wait after these") long remaining,
      @SchemaHint("How many went before you collected them: too old, or too many") long expired) {}

  public Tool<Input> tool() {
    return new Tool<>(
        "dewey_mail",
        "Mail",
        "The direct messages to a participant that it hasn't collected, oldest first: what was sent"
            + " while it was away. Looking changes nothing; collect takes them.",
        Input.class,
        Output.class,
        Tool.Audience.MODEL,
        Role.VIEWER,
        new ToolHints(false, false, false, false),
        this::begin);
  }

  private CompletableFuture<ToolResult> begin(Input input, ToolCall call) {
    boolean collects = requireNonNullElse(input.collect(), false);
    if (!collects && context.readsOthersDirect(call.caller())) {
      return call.runBlocking(() -> output(input, call, false));
    }
    return context
        .access()
        .refuseActingAs(call.caller(), "client_id", input.clientId())
        .map(ToolResult::refused)
        .orElseGet(() -> call.runBlocking(() -> output(input, call, collects)));
  }

  private ToolResult output(Input input, ToolCall call, boolean collects) {
    String name = input.clientId();
    UUID last = input.after();
    Optional<Long> after =
        last == null
            ? Optional.of(0L)
            : database.read(tx -> MailStore.position(tx, name, last.toString()));
    if (after.isEmpty()) {
      String rule = "must be the id of a message to %s that is kept".formatted(name);
      return new ToolResult.Refused(Refusal.invalidInput("after", rule));
    }
    Job<Output> job = tx -> output(tx, input, after.get(), collects, call);
    if (!collects) {
      return new ToolResult.Success(database.read(job));
    }
    Output output = database.write(job);
    List<Long> positions = output.messages().stream().map(Message::position).toList();
    return new ToolResult.Success(
        output,
        written -> {
          // What nobody has read isn't collected.
          var _ =
              database.submit(tx ->
                  written
                      ? ExpiredMail.forget(tx, name, output.expired())
                      : MailStore.restore(tx, name, positions));
        });
  }

  private Output output(Transaction tx, Input input, long after, boolean collects, ToolCall call) {
    String name = input.clientId();
    boolean unreadOnly = collects || requireNonNullElse(input.unreadOnly(), true);
    int limit = requireNonNullElse(input.limit(), DEFAULT_LIMIT);
    List<Message> page =
        Message.fitting(
            MailStore.page(tx, name, unreadOnly, after, limit).stream().map(Message::of).toList(),
            input.maxBytes(),
            call);
    if (collects) {
      Instant now = context.time().instant();
      page.forEach(each -> MailStore.collect(tx, name, each.position(), now, name));
    }
    long last = page.isEmpty() ? after : page.getLast().position();
    return new Output(
        "success",
        page,
        MailStore.waiting(tx, name, last, Long.MAX_VALUE),
        ExpiredMail.count(tx, name));
  }
}
