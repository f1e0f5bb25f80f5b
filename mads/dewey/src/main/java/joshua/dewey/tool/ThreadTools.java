package joshua.dewey.tool;

import static java.util.Objects.requireNonNullElse;
import static joshua.dewey.tool.ParticipantTools.invalid;
import static joshua.dewey.tool.ParticipantTools.refused;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import joshua.dewey.thread.PostOutbox;
import joshua.dewey.thread.ThreadStatus;
import joshua.dewey.thread.ThreadStore;
import joshua.dewey.thread.ThreadStore.Head;
import joshua.dewey.thread.ThreadStore.Member;
import joshua.kernel.ErrorCode;
import joshua.kernel.Identifiers;
import joshua.kernel.Json;
import joshua.kernel.MonotonicIds;
import joshua.kernel.Role;
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
 * The tools of a participant for its threads, conversations of some members with numbered posts.
 */
public record ThreadTools(
    ServiceContext context, Database database, MonotonicIds ids, PostOutbox outbox)
    implements ParticipantTools {
  private static final int DEFAULT_LIMIT = 50;
  private static final int MAX_BODY_BYTES = 64 * 1024;
  private static final int BESIDE_BODY = 250;

  public List<Tool<?>> tools() {
    return List.of(
        new Tool<>(
            "dewey_create_thread",
            "Open a thread",
            "Opens a thread with others, who needn't be there; you are its coordinator. Each post"
                + " reaches every other member as a direct message.",
            Create.class,
            Created.class,
            Tool.Audience.MODEL,
            Role.OPERATOR,
            new ToolHints(false, false, false, false),
            (input, call) ->
                actingAs(input.clientId(), call, () -> database.write(tx -> create(tx, input)))),
        new Tool<>(
            "dewey_threads",
            "List threads",
            "Your threads, with how many posts you haven't acknowledged.",
            Listing.class,
            Listed.class,
            Tool.Audience.MODEL,
            Role.VIEWER,
            ToolHints.READS,
            (input, call) ->
                readingAs(requireNonNullElse(input.clientId(), ""), call, () -> list(input))),
        new Tool<>(
            "dewey_read_thread",
            "Read a thread",
            "The posts of a thread, and who has read how far. It can wait for a post; reading"
                + " doesn't move your position, acknowledge does.",
            Read.class,
            Page.class,
            Tool.Audience.MODEL,
            Role.VIEWER,
            new ToolHints(false, false, true, false),
            this::read),
        new Tool<>(
            "dewey_post",
            "Post to a thread",
            "Posts to a thread. It is kept when this answers, and each other member gets it as a"
                + " direct message.",
            Submission.class,
            Posted.class,
            Tool.Audience.MODEL,
            Role.OPERATOR,
            new ToolHints(false, false, false, false),
            (input, call) -> write(input, call, false, (tx, head, self) -> post(tx, head, input))),
        new Tool<>(
            "dewey_thread_status",
            "Change the status of a thread",
            "Sets a thread to active, blocked, resolved or closed, and posts that to it. Its"
                + " coordinator closes it, for ever.",
            Change.class,
            Changed.class,
            Tool.Audience.MODEL,
            Role.OPERATOR,
            new ToolHints(false, false, true, false),
            this::change));
  }

  /** An input about a thread. */
  interface InThread {
    String clientId();

    UUID threadId();
  }

  private interface Work {
    ToolResult of(Transaction tx, Head thread, Optional<Member> self);
  }

  /** Does something for a member of a thread, or for who may do it for each. */
  private static ToolResult inThread(Transaction tx, InThread input, boolean isForAll, Work work) {
    UUID id = input.threadId();
    String name = input.clientId();
    Optional<Head> thread = ThreadStore.find(tx, id);
    Optional<Member> self =
        ThreadStore.members(tx, id).stream().filter(each -> each.name().equals(name)).findFirst();
    if (thread.isEmpty()) {
      return refused(ErrorCode.UNKNOWN_THREAD, "There is no thread %s.".formatted(id));
    } else if (self.isEmpty() && !isForAll) {
      return refused(
          ErrorCode.FORBIDDEN, "%s isn't a member of the thread %s.".formatted(name, id));
    }
    return work.of(tx, thread.get(), self);
  }

  private CompletableFuture<ToolResult> write(
      InThread input, ToolCall call, boolean isForAll, Work work) {
    return actingAs(
        input.clientId(),
        call,
        () -> {
          ToolResult result = database.write(tx -> inThread(tx, input, isForAll, work));
          outbox.posts().changed();
          return result;
        });
  }

  record Create(
      @Name(SELF) String clientId,
      @SchemaHint(min = 1, max = 200) String title,
      @SchemaHint(value = "The other members", min = 1, max = 50, example = "[\"codex-1\"]")
          List<String> participants,
      @SchemaHint(
              pattern = "conversation|workflow|incident",
              rule = "must be conversation, workflow or incident")
          @Nullable String type) {}

  record Created(String status, UUID threadId, ThreadStatus threadStatus, Instant createdAt) {}

  private ToolResult create(Transaction tx, Create input) {
    for (String name : input.participants()) {
      if (!Identifiers.isName(name) || context.access().isService(name)) {
        String rule = "must be names of participants; %s can't be one".formatted(name);
        return invalid("participants", rule);
      }
    }
    String creator = input.clientId();
    Set<String> members = new LinkedHashSet<>(input.participants());
    members.add(creator);
    String type = requireNonNullElse(input.type(), "conversation");
    Instant now = context.time().instant();
    Head head =
        new Head(ids.next(), input.title(), type, ThreadStatus.ACTIVE, creator, now, now, 0);
    ThreadStore.create(tx, head, members);
    return new ToolResult.Success(new Created("success", head.threadId(), head.status(), now));
  }

  record Listing(
      @Name("Your name on the bus; who may read all gets all without it") @Nullable String clientId,
      @Nullable ThreadStatus threadStatus,
      @SchemaHint(min = 1, max = 200) @Nullable Integer limit) {}

  record Listed(
      String status,
      @SchemaHint("Updated last first; unread are posts that you haven't acknowledged")
          List<ThreadStore.Summary> threads) {}

  private ToolResult list(Listing input) {
    int limit = requireNonNullElse(input.limit(), DEFAULT_LIMIT);
    List<ThreadStore.Summary> threads =
        database.read(tx -> ThreadStore.list(tx, input.clientId(), input.threadStatus(), limit));
    return new ToolResult.Success(new Listed("success", threads));
  }

  record Read(
      @Name(SELF) String clientId,
      UUID threadId,
      @SchemaHint(value = "Only posts behind this; 0 at first", min = 0) @Nullable Long afterSeq,
      @SchemaHint(min = 1, max = 200) @Nullable Integer limit,
      @SchemaHint(value = "The seq up to which you have read: those don't wait any more", min = 0)
          @Nullable Long acknowledge,
      @SchemaHint(value = "How long to wait for a post", min = 0, max = 600_000)
          @Nullable Integer waitMs)
      implements InThread {}

  record Page(
      String status,
      Head thread,
      List<Member> members,
      @SchemaHint("In order") List<ThreadStore.Post> posts,
      @SchemaHint("The after_seq for what comes behind these") long nextSeq,
      @SchemaHint("How many do") long remaining) {}

  private CompletableFuture<ToolResult> read(Read input, ToolCall call) {
    Long read = input.acknowledge();
    String name = input.clientId();
    if (read == null) {
      return readingAs(name, call, () -> awaitPage(input, call));
    }
    return actingAs(
        name,
        call,
        () -> {
          ToolResult first =
              database.write(tx ->
                  inThread(
                      tx,
                      input,
                      false,
                      (any, head, self) -> {
                        long before = self.orElseThrow().readSeq();
                        if (read < before) {
                          String sentence = "You have acknowledged %d already.".formatted(before);
                          return refused(ErrorCode.CONFLICT, sentence);
                        } else if (read > head.lastSeq()) {
                          String rule =
                              "must be at most %d, the last post".formatted(head.lastSeq());
                          return invalid("acknowledge", rule);
                        }
                        Instant now = context.time().instant();
                        ThreadStore.acknowledge(tx, head.threadId(), name, read, now);
                        return page(tx, input, call, head);
                      }));
          return first instanceof ToolResult.Refused ? first : awaitPage(input, call);
        });
  }

  private ToolResult awaitPage(Read input, ToolCall call) throws InterruptedException {
    boolean readsAll = context.readsOthersDirect(call.caller());
    long wait = Duration.ofMillis(requireNonNullElse(input.waitMs(), 0)).toNanos();
    long end = System.nanoTime() + wait;
    while (true) {
      long seen = outbox.posts().changes();
      ToolResult result =
          database.read(tx ->
              inThread(tx, input, readsAll, (any, head, self) -> page(tx, input, call, head)));
      Duration left = Duration.ofNanos(end - System.nanoTime());
      boolean isEmpty =
          result instanceof ToolResult.Success success
              && success.output() instanceof Page page
              && page.posts().isEmpty();
      if (!isEmpty || !left.isPositive()) {
        return result;
      }
      outbox.posts().await(seen, left);
    }
  }

  private static ToolResult page(Transaction tx, Read input, ToolCall call, Head head) {
    UUID thread = head.threadId();
    long after = requireNonNullElse(input.afterSeq(), 0L);
    int limit = requireNonNullElse(input.limit(), DEFAULT_LIMIT);
    int room = Message.room(null, call);
    List<ThreadStore.Post> posts = new ArrayList<>();
    for (ThreadStore.Post each : ThreadStore.posts(tx, thread, after, limit)) {
      room -= Json.bytes(each.body()).length + BESIDE_BODY;
      if (room >= 0 || posts.isEmpty()) {
        posts.add(each);
      }
    }
    long next = posts.isEmpty() ? after : posts.getLast().seq();
    long remaining = Math.max(0, head.lastSeq() - next);
    List<Member> members = ThreadStore.members(tx, thread);
    return new ToolResult.Success(new Page("success", head, members, posts, next, remaining));
  }

  private ThreadStore.Post post(
      Head head, String sender, String kind, @Nullable Long inReplyTo, ObjectNode body) {
    Instant now = context.time().instant();
    UUID id = ids.next();
    return new ThreadStore.Post(head.lastSeq() + 1, id, sender, kind, inReplyTo, now, body);
  }

  record Submission(
      @Name(SELF) String clientId,
      UUID threadId,
      @SchemaHint(example = "{\"text\":\"hi\"}") ObjectNode body,
      @SchemaHint(pattern = "chat|event", rule = "must be chat or event") @Nullable String kind,
      @SchemaHint(value = "The seq of a post", min = 1) @Nullable Long inReplyTo,
      @SchemaHint(value = "The same when you try again: posts it once", min = 1, max = 128)
          @Nullable String idempotencyKey)
      implements InThread {}

  record Posted(
      String status, UUID messageId, long seq, ThreadStatus threadStatus, Instant postedAt) {
    static ToolResult of(ThreadStore.Post post, ThreadStatus status) {
      return new ToolResult.Success(
          new Posted("success", post.messageId(), post.seq(), status, post.postedAt()));
    }
  }

  private ToolResult post(Transaction tx, Head head, Submission input) {
    if (Json.bytes(input.body()).length > MAX_BODY_BYTES) {
      return invalid("body", "must have at most %d bytes".formatted(MAX_BODY_BYTES));
    } else if (input.body().has(PostOutbox.THREAD)) {
      return invalid("body", "must not have thread, which copies of posts get");
    }
    String kind = requireNonNullElse(input.kind(), "chat");
    ThreadStore.Post post = post(head, input.clientId(), kind, input.inReplyTo(), input.body());
    String key = input.idempotencyKey();
    Optional<ThreadStore.Post> earlier =
        ThreadStore.postWithKey(tx, head.threadId(), input.clientId(), key);
    if (earlier.isPresent()) {
      ThreadStore.Post it = earlier.get();
      boolean isSame =
          it.kind().equals(kind)
              && Objects.equals(it.inReplyTo(), input.inReplyTo())
              && it.body().equals(input.body());
      return isSame
          ? Posted.of(it, head.status())
          : refused(
              ErrorCode.CONFLICT, "You used this idempotency_key for post %d.".formatted(it.seq()));
    } else if (head.status() == ThreadStatus.CLOSED) {
      return refused(ErrorCode.CONFLICT, "The thread is closed, and takes no posts.");
    } else if (input.inReplyTo() != null && input.inReplyTo() > head.lastSeq()) {
      String rule = "must be at most %d, the last post".formatted(head.lastSeq());
      return invalid("in_reply_to", rule);
    }
    ThreadStore.add(tx, head.threadId(), post, key, head.status());
    return Posted.of(post, head.status());
  }

  record Change(
      @Name(SELF) String clientId,
      UUID threadId,
      ThreadStatus threadStatus,
      @SchemaHint(value = "For the other members", max = 1_000) @Nullable String reason,
      @SchemaHint("Refused if it isn't this any more") @Nullable ThreadStatus expected,
      @SchemaHint("Closes a blocked thread; needs a reason") @Nullable Boolean override)
      implements InThread {}

  record Changed(String status, ThreadStatus threadStatus, Instant updatedAt) {}

  private CompletableFuture<ToolResult> change(Change input, ToolCall call) {
    boolean isAdmin = call.caller().role() == Role.ADMIN;
    return write(
        input,
        call,
        isAdmin,
        (tx, head, self) ->
            change(tx, head, input, isAdmin || self.filter(Member::coordinator).isPresent()));
  }

  private ToolResult change(Transaction tx, Head head, Change input, boolean mayClose) {
    ThreadStatus next = input.threadStatus();
    ThreadStatus before = head.status();
    String reason = requireNonNullElse(input.reason(), "");
    boolean overrides = requireNonNullElse(input.override(), false);
    boolean closes = next == ThreadStatus.CLOSED;
    if (input.expected() != null && before != input.expected()) {
      String sentence =
          "The thread is %s, not %s.".formatted(before.word(), input.expected().word());
      return refused(ErrorCode.CONFLICT, sentence);
    } else if (before == next) {
      return new ToolResult.Success(new Changed("success", before, head.updatedAt()));
    } else if (!before.mayBecome(next)) {
      String sentence =
          "A thread that is %s can't become %s.".formatted(before.word(), next.word());
      return refused(ErrorCode.CONFLICT, sentence);
    } else if (closes && !mayClose) {
      String sentence =
          "Only %s, who opened it, or an administrator closes it.".formatted(head.createdBy());
      return refused(ErrorCode.FORBIDDEN, sentence);
    } else if (closes && before == ThreadStatus.BLOCKED && (!overrides || reason.isBlank())) {
      return refused(
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
