package joshua.dewey.tool;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import joshua.dewey.thread.PostOutbox;
import joshua.dewey.thread.ThreadStatus;
import joshua.dewey.thread.ThreadStore;
import joshua.dewey.thread.ThreadStore.Head;
import joshua.dewey.thread.ThreadStore.Member;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.network.Name;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The tools that write to a thread: {@code dewey_post}, and {@code dewey_thread_status}, which
 * posts that the status has changed.
 */
public record PostTools(ThreadTools threads) {
  private static final int MAX_BODY_BYTES = 64 * 1024;

  /** All of them. */
  public List<Tool<?>> tools() {
    return List.of(posting(), changing());
  }

  private interface Write {
    ToolResult to(Transaction tx, Head thread, Optional<Member> self);
  }

  /** Writes to a thread for a caller that may act under a name. */
  private CompletableFuture<ToolResult> write(
      ToolCall call, String name, UUID thread, boolean isForAll, Write write) {
    return threads
        .context()
        .access()
        .refuseActingAs(call.caller(), "client_id", name)
        .map(ToolResult::refused)
        .orElseGet(() ->
            call.runBlocking(() -> {
              ToolResult result =
                  threads
                      .database()
                      .write(tx ->
                          ThreadTools.inThread(
                              tx,
                              thread,
                              name,
                              isForAll,
                              (head, self) -> write.to(tx, head, self)));
              threads.outbox().posted();
              return result;
            }));
  }

  private ThreadStore.Post post(
      Head head, String sender, String kind, @Nullable Long inReplyTo, ObjectNode body) {
    Instant now = threads.context().time().instant();
    UUID id = threads.ids().next();
    return new ThreadStore.Post(head.lastSeq() + 1, id, sender, kind, inReplyTo, now, body);
  }

  record Input(
      @Name(ThreadTools.SELF) String clientId,
      UUID threadId,
      @SchemaHint(example = "{\"text\":\"hi\"}") ObjectNode body,
      @SchemaHint(pattern = "chat|event", rule = "must be chat or event") @Nullable String kind,
      @SchemaHint(value = "The seq of a post", min = 1) @Nullable Long inReplyTo,
      @SchemaHint(value = "The same when you try again: posts it once", min = 1, max = 128)
          @Nullable String idempotencyKey) {}

  record Posted(
      String status, UUID messageId, long seq, ThreadStatus threadStatus, Instant postedAt) {
    static ToolResult of(ThreadStore.Post post, ThreadStatus status) {
      return new ToolResult.Success(
          new Posted("success", post.messageId(), post.seq(), status, post.postedAt()));
    }
  }

  private Tool<Input> posting() {
    return new Tool<>(
        "dewey_post",
        "Post to a thread",
        "Posts to a thread. It is kept when this answers, and each other member gets it as a direct"
            + " message.",
        Input.class,
        Posted.class,
        Tool.Audience.MODEL,
        Role.OPERATOR,
        new ToolHints(false, false, false, false),
        (input, call) ->
            write(
                call,
                input.clientId(),
                input.threadId(),
                false,
                (tx, head, self) -> post(tx, head, input)));
  }

  private ToolResult post(Transaction tx, Head head, Input input) {
    if (Json.bytes(input.body()).length > MAX_BODY_BYTES) {
      return ThreadTools.invalid("body", "must have at most %d bytes".formatted(MAX_BODY_BYTES));
    } else if (input.body().has(PostOutbox.THREAD)) {
      return ThreadTools.invalid("body", "must not have thread, which copies of posts get");
    }
    String kind = requireNonNullElse(input.kind(), "chat");
    ThreadStore.Post post = post(head, input.clientId(), kind, input.inReplyTo(), input.body());
    String key = input.idempotencyKey();
    Optional<ThreadStore.Post> earlier =
        key == null
            ? Optional.empty()
            : ThreadStore.postWithKey(tx, head.threadId(), input.clientId(), key);
    if (earlier.isPresent()) {
      ThreadStore.Post it = earlier.get();
      boolean isSame =
          it.kind().equals(kind)
              && Objects.equals(it.inReplyTo(), input.inReplyTo())
              && it.body().equals(input.body());
      return isSame
          ? Posted.of(it, head.status())
          : ThreadTools.refused(
              ErrorCode.CONFLICT, "You used this idempotency_key for post %d.".formatted(it.seq()));
    } else if (head.status() == ThreadStatus.CLOSED) {
      return ThreadTools.refused(ErrorCode.CONFLICT, "The thread is closed, and takes no posts.");
    } else if (input.inReplyTo() != null && input.inReplyTo() > head.lastSeq()) {
      String rule = "must be at most %d, the last post".formatted(head.lastSeq());
      return ThreadTools.invalid("in_reply_to", rule);
    }
    ThreadStore.add(tx, head.threadId(), post, key, head.status());
    return Posted.of(post, head.status());
  }

  record Change(
      @Name(ThreadTools.SELF) String clientId,
      UUID threadId,
      ThreadStatus threadStatus,
      @SchemaHint(value = "For the other members", max = 1_000) @Nullable String reason,
      @SchemaHint("Refused if it isn't this any more") @Nullable ThreadStatus expected,
      @SchemaHint("Closes a blocked thread; needs a reason") @Nullable Boolean override) {}

  record Changed(String status, ThreadStatus threadStatus, Instant updatedAt) {}

  private Tool<Change> changing() {
    return new Tool<>(
        "dewey_thread_status",
        "Change the status of a thread",
        "Sets a thread to active, blocked, resolved or closed, and posts that to it. Its coordinator"
            + " closes it, for ever.",
        Change.class,
        Changed.class,
        Tool.Audience.MODEL,
        Role.OPERATOR,
        new ToolHints(false, false, true, false),
        (input, call) -> {
          boolean isAdmin = call.caller().role() == Role.ADMIN;
          return write(
              call,
              input.clientId(),
              input.threadId(),
              isAdmin,
              (tx, head, self) -> change(tx, head, input, isAdmin, self));
        });
  }

  private ToolResult change(
      Transaction tx, Head head, Change input, boolean isAdmin, Optional<Member> self) {
    ThreadStatus next = input.threadStatus();
    ThreadStatus before = head.status();
    String reason = requireNonNullElse(input.reason(), "");
    boolean overrides = requireNonNullElse(input.override(), false);
    boolean closes = next == ThreadStatus.CLOSED;
    if (input.expected() != null && before != input.expected()) {
      String sentence =
          "The thread is %s, not %s.".formatted(before.word(), input.expected().word());
      return ThreadTools.refused(ErrorCode.CONFLICT, sentence);
    } else if (before == next) {
      return new ToolResult.Success(new Changed("success", before, head.updatedAt()));
    } else if (!before.mayBecome(next)) {
      String sentence =
          "A thread that is %s can't become %s.".formatted(before.word(), next.word());
      return ThreadTools.refused(ErrorCode.CONFLICT, sentence);
    } else if (closes && !isAdmin && self.filter(Member::coordinator).isEmpty()) {
      String sentence =
          "Only %s, who opened it, or an administrator closes it.".formatted(head.createdBy());
      return ThreadTools.refused(ErrorCode.FORBIDDEN, sentence);
    } else if (closes && before == ThreadStatus.BLOCKED && (!overrides || reason.isBlank())) {
      return ThreadTools.refused(
          ErrorCode.FORBIDDEN, "A blocked thread is closed with override and a reason alone.");
    }
    String text = "%s set this thread to %s".formatted(input.clientId(), next.word());
    ObjectNode body =
        Json.object().put("text", reason.isBlank() ? text + "." : "%s: %s".formatted(text, reason));
    ThreadStore.Post post = post(head, input.clientId(), "system", null, body);
    ThreadStore.add(tx, head.threadId(), post, null, next);
    return new ToolResult.Success(new Changed("success", next, post.postedAt()));
  }
}
