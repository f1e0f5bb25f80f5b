package joshua.grace.tool;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import joshua.grace.queue.Bell.Ring;
import joshua.grace.queue.QueuedMessage;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Name;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import org.jspecify.annotations.Nullable;

/** {@code grace_await}: a wait on a client's bell, for programs that wake the client. */
public record AwaitTool(RelayParts relay) {
  public record Input(
      @Name(Refusals.CLIENT) String clientId,
      @SchemaHint(
              "One of version 7 for each program; the latest waits, others end; none: look at once")
          @Nullable UUID holder,
      @SchemaHint(min = 0, max = 60_000) @Nullable Integer waitMs) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Output(
      String status,
      @SchemaHint("What others sent and no answer has given") int waiting,
      @Nullable String from,
      @Nullable Instant oldestAt,
      @SchemaHint("Whether the client is to be told now") boolean due,
      @SchemaHint("Whether another program waits instead") boolean superseded) {}

  public Tool<Input> tool() {
    return new Tool<>(
        "grace_await",
        "Await messages",
        "Waits until a client is to be told that messages wait for it, and takes nothing.",
        Input.class,
        Output.class,
        Tool.Audience.PROGRAM,
        Role.VIEWER,
        ToolHints.READS,
        this::begin);
  }

  private CompletableFuture<ToolResult> begin(Input input, ToolCall call) {
    String client = input.clientId();
    Optional<Refusal> refusal = relay.actingAs(call.caller(), client);
    if (refusal.isPresent()) {
      return ToolResult.refused(refusal.get());
    }
    if (input.holder() != null) {
      relay.keepFor(client, call.caller().connection());
    }
    relay.called(client);
    Duration most = Duration.ofMillis(Objects.requireNonNullElse(input.waitMs(), 0));
    return call.runBlocking(() -> result(relay.polls().awaitBell(client, input.holder(), most)));
  }

  private static ToolResult result(Ring ring) {
    Optional<QueuedMessage> oldest = ring.waiting().stream().findFirst();
    return new ToolResult.Success(
        new Output(
            "success",
            ring.waiting().size(),
            oldest.map(QueuedMessage::sender).orElse(null),
            oldest.map(QueuedMessage::timestamp).orElse(null),
            ring.due(),
            ring.superseded()));
  }
}
