package joshua.dewey.tool;

import static java.util.Objects.requireNonNullElse;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
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
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The tools of a participant for its threads, conversations of some members with numbered posts:
 * {@code dewey_create_thread}, {@code dewey_threads} and {@code dewey_read_thread}.
 */
public record ThreadTools(
    ServiceContext context, Database database, MonotonicIds ids, PostOutbox outbox) {
  static final String SELF = "Your name on the bus";
  private static final int DEFAULT_LIMIT = 50;
  private static final int BESIDE_BODY = 250;

  /** All of them. */
  public List<Tool<?>> tools() {
    return List.of(creating(), listing(), reading());
  }

  static ToolResult refused(ErrorCode code, String sentence) {
    return new ToolResult.Refused(Refusal.of(code, sentence));
  }

  static ToolResult invalid(String member, String rule) {
    return new ToolResult.Refused(Refusal.invalidInput(member, rule));
  }

  interface InThread {
    ToolResult of(Head thread, Optional<Member> self);
  }

  /** Does something for a member of a thread, or for who may do it for each. */
  static ToolResult inThread(
      Transaction tx, UUID thread, String name, boolean isForAll, InThread work) {
    Optional<Head> head = ThreadStore.find(tx, thread);
    Optional<Member> member =
        ThreadStore.members(tx, thread).stream()
            .filter(each -> each.name().equals(name))
            .findFirst();
    if (head.isEmpty()) {
      return refused(ErrorCode.UNKNOWN_THREAD, "There is no thread %s.".formatted(thread));
    } else if (member.isEmpty() && !isForAll) {
      return refused(
          ErrorCode.FORBIDDEN, "%s isn't a member of the thread %s.".formatted(name, thread));
    }
    return work.of(head.get(), member);
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

  private Tool<Create> creating() {
    return new Tool<>(
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
            context
                .access()
                .refuseActingAs(call.caller(), "client_id", input.clientId())
                .map(ToolResult::refused)
                .orElseGet(() -> call.runBlocking(() -> database.write(tx -> create(tx, input)))));
  }

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
    return created(head);
  }

  private static ToolResult created(Head head) {
    return new ToolResult.Success(
        new Created("success", head.threadId(), head.status(), head.createdAt()));
  }

  record Listing(
      @Name("Your name on the bus; who may read all gets all without it") @Nullable String clientId,
      @Nullable ThreadStatus threadStatus,
      @SchemaHint(min = 1, max = 200) @Nullable Integer limit) {}

  record Listed(
      String status,
      @SchemaHint("Updated last first; unread are posts that you haven't acknowledged")
          List<ThreadStore.Summary> threads) {}

  private Tool<Listing> listing() {
    return new Tool<>(
        "dewey_threads",
        "List threads",
        "Your threads, with how many posts you haven't acknowledged.",
        Listing.class,
        Listed.class,
        Tool.Audience.MODEL,
        Role.VIEWER,
        ToolHints.READS,
        this::list);
  }

  private CompletableFuture<ToolResult> list(Listing input, ToolCall call) {
    String name = input.clientId();
    int limit = requireNonNullElse(input.limit(), DEFAULT_LIMIT);
    return refuseReading(call, requireNonNullElse(name, ""))
        .map(ToolResult::refused)
        .orElseGet(() ->
            call.runBlocking(() -> {
              List<ThreadStore.Summary> threads =
                  database.read(tx -> ThreadStore.list(tx, name, input.threadStatus(), limit));
              return new ToolResult.Success(new Listed("success", threads));
            }));
  }

  private Optional<Refusal> refuseReading(ToolCall call, String name) {
    return context.readsOthersDirect(call.caller())
        ? Optional.empty()
        : context.access().refuseActingAs(call.caller(), "client_id", name);
  }

  record Read(
      @Name(SELF) String clientId,
      UUID threadId,
      @SchemaHint(value = "Only posts behind this; 0 at first", min = 0) @Nullable Long afterSeq,
      @SchemaHint(min = 1, max = 200) @Nullable Integer limit,
      @SchemaHint(value = "The seq up to which you have read: those don't wait any more", min = 0)
          @Nullable Long acknowledge,
      @SchemaHint(value = "How long to wait for a post", min = 0, max = 600_000)
          @Nullable Integer waitMs) {}

  record Page(
      String status,
      Head thread,
      List<Member> members,
      @SchemaHint("In order") List<ThreadStore.Post> posts,
      @SchemaHint("The after_seq for what comes behind these") long nextSeq,
      @SchemaHint("How many do") long remaining) {}

  private Tool<Read> reading() {
    return new Tool<>(
        "dewey_read_thread",
        "Read a thread",
        "The posts of a thread, and who has read how far. It can wait for a post; reading doesn't"
            + " move your position, acknowledge does.",
        Read.class,
        Page.class,
        Tool.Audience.MODEL,
        Role.VIEWER,
        new ToolHints(false, false, true, false),
        this::read);
  }

  private CompletableFuture<ToolResult> read(Read input, ToolCall call) {
    Long read = input.acknowledge();
    Optional<Refusal> refusal =
        read == null
            ? refuseReading(call, input.clientId())
            : context.access().refuseActingAs(call.caller(), "client_id", input.clientId());
    return refusal
        .map(ToolResult::refused)
        .orElseGet(() ->
            call.runBlocking(() -> {
              Optional<ToolResult> refused =
                  read == null
                      ? Optional.empty()
                      : database.write(tx -> acknowledge(tx, input, read));
              return refused.isPresent() ? refused.get() : awaitPage(input, call);
            }));
  }

  /** Empty if that is done. */
  private Optional<ToolResult> acknowledge(Transaction tx, Read input, long read) {
    UUID thread = input.threadId();
    String name = input.clientId();
    ToolResult result =
        inThread(
            tx,
            thread,
            name,
            false,
            (head, self) -> {
              long before = self.orElseThrow().readSeq();
              if (read < before) {
                String sentence = "You have acknowledged %d already.".formatted(before);
                return refused(ErrorCode.CONFLICT, sentence);
              } else if (read > head.lastSeq()) {
                return invalid(
                    "acknowledge", "must be at most %d, the last post".formatted(head.lastSeq()));
              }
              ThreadStore.acknowledge(tx, thread, name, read, context.time().instant());
              return created(head);
            });
    return Optional.of(result).filter(ToolResult.Refused.class::isInstance);
  }

  private ToolResult awaitPage(Read input, ToolCall call) throws InterruptedException {
    long wait = Duration.ofMillis(requireNonNullElse(input.waitMs(), 0)).toNanos();
    long end = System.nanoTime() + wait;
    while (true) {
      long seen = outbox.changes();
      ToolResult result = database.read(tx -> page(tx, input, call));
      Duration left = Duration.ofNanos(end - System.nanoTime());
      boolean isEmpty =
          result instanceof ToolResult.Success success
              && success.output() instanceof Page page
              && page.posts().isEmpty();
      if (!isEmpty || !left.isPositive()) {
        return result;
      }
      outbox.await(seen, left);
    }
  }

  private ToolResult page(Transaction tx, Read input, ToolCall call) {
    UUID thread = input.threadId();
    boolean readsAll = context.readsOthersDirect(call.caller());
    return inThread(
        tx,
        thread,
        input.clientId(),
        readsAll,
        (head, self) -> {
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
        });
  }
}
