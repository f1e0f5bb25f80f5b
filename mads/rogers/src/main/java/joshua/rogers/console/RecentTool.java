package joshua.rogers.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.conversation.envelope.Channel.Kind;
import joshua.conversation.envelope.ChannelPattern;
import joshua.conversation.envelope.Envelope;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.conversation.envelope.EnvelopeCodec.MalformedEnvelopeException;
import joshua.conversation.envelope.EnvelopeHead;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.kernel.Timestamps;
import joshua.network.Caller;
import joshua.network.Name;
import joshua.network.RawJson;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import joshua.rogers.console.RecentMessages.Recent;
import joshua.service.ServiceContext;
import org.jspecify.annotations.Nullable;

/**
 * The tool {@code rogers_recent}: the last messages and those to come, as the console shows them.
 * With a constant filter, what is given, skipped and unread is all that passed.
 */
public final class RecentTool {
  /** What is shown of a text that is no payload, in bytes. */
  static final int MAX_TEXT = 64 * 1024;

  private static final int DEFAULT_MESSAGES = 100;
  private static final int MAX_BYTES = 1024 * 1024;
  private static final long LOOK_INTERVAL = Duration.ofMillis(50).toNanos();
  private static final Pattern CURSOR = Pattern.compile("(\\d{1,18})\\.(\\d{1,18})");

  private final RecentMessages recent;
  private final ServiceContext context;
  private final Function<Instant, List<String>> caveats;
  private volatile boolean stopping;

  /** {@code caveats} are those of what was heard since a time. */
  public RecentTool(
      RecentMessages recent, ServiceContext context, Function<Instant, List<String>> caveats) {
    this.recent = recent;
    this.context = context;
    this.caveats = caveats;
  }

  record Input(
      @SchemaHint("next of the answer before; without it, the last messages are given")
          @Nullable String after,
      @SchemaHint(value = "Channels or globs, mad.* without it", min = 1, max = 20)
          @Nullable List<String> channels,
      @Name(value = "By this sender", anybody = true) @Nullable String senderId,
      @SchemaHint(value = "Contained in the payload's JSON; case is ignored", max = 200)
          @Nullable String text,
      @Nullable UUID conversationId,
      @Nullable UUID correlationId,
      @SchemaHint("Also mad.system.*, mad.stream.*, and what services say to each other")
          @Nullable Boolean housekeeping,
      @SchemaHint(value = "Messages at most, the newest", min = 1, max = 500)
          @Nullable Integer limit,
      @SchemaHint(value = "Waits so long for a message", min = 0, max = 25_000)
          @Nullable Integer waitMs) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Output(
      String status,
      @SchemaHint(
              "In the bus's order: number, at, channel, bytes; an envelope's members; else malformed,"
                  + " which says why; text, and cut where it isn't whole, for payloads over 64 KiB")
          List<ObjectNode> messages,
      String next,
      @SchemaHint("So many more match since after; absent where that isn't known")
          @Nullable Long skipped,
      @SchemaHint("So many more came since after, and went before it was known if they match")
          @Nullable Long unread,
      @SchemaHint("When the oldest came that is kept") @Nullable Instant oldestAt,
      @SchemaHint("What you asked for and may not read") @Nullable List<String> withheld,
      @SchemaHint("When messages may be missing") List<String> caveats) {}

  public Tool<Input> tool() {
    return new Tool<>(
        "rogers_recent",
        "The last messages",
        "The last messages of the bus, which Rogers has in memory, and those to come.",
        Input.class,
        Output.class,
        Tool.Audience.PROGRAM,
        Role.VIEWER,
        ToolHints.READS,
        this::begin);
  }

  /** Ends all waits. */
  public void stop() {
    stopping = true;
  }

  private CompletableFuture<ToolResult> begin(Input input, ToolCall call) {
    Matcher cursor = CURSOR.matcher(requireNonNullElse(input.after(), ""));
    if (input.after() != null && !cursor.matches()) {
      return ToolResult.refused(
          Refusal.invalidInput("after", "must be the member next of an answer"));
    }
    List<ChannelPattern> patterns = new ArrayList<>();
    for (String text : requireNonNullElse(input.channels(), List.of(ChannelPattern.ALL.text()))) {
      Optional<ChannelPattern> pattern = ChannelPattern.parse(text);
      if (pattern.isEmpty()) {
        return ToolResult.refused(Refusal.invalidInput("channels", ChannelPattern.RULE));
      }
      patterns.add(pattern.get());
    }
    boolean isKnown = input.after() != null && cursor.group(1).equals(epoch());
    Reading reading =
        new Reading(
            input,
            patterns,
            new Rights(call.caller()),
            isKnown ? Long.parseLong(cursor.group(2)) : -1);
    return call.runBlocking(reading::await);
  }

  private String epoch() {
    return Long.toString(context.self().startedAt().toEpochMilli());
  }

  /** What a caller may read (wire contract §3, "Roles"). */
  private final class Rights {
    private final String identity;
    private final boolean othersDirect;
    private final boolean housekeeping;

    Rights(Caller caller) {
      identity = caller.identity().orElse("");
      othersDirect = context.readsOthersDirect(caller);
      housekeeping = caller.role().includes(Role.OPERATOR);
    }

    boolean mayRead(String channel) {
      return housekeeping
          || !(channel.startsWith(Kind.SYSTEM.prefix())
              || channel.startsWith(Kind.STREAM.prefix()));
    }

    /** Whether a channel is for another, who may have it from this caller. */
    boolean isOthers(String channel) {
      return !othersDirect
          && channel.startsWith(Kind.DIRECT.prefix())
          && !channel.equals(Kind.DIRECT.prefix() + identity);
    }
  }

  /** One call: it looks again and again until something matches, or the time is over. */
  private final class Reading {
    private final Input input;
    private final List<ChannelPattern> patterns;
    private final Rights rights;
    private final boolean isFirst;
    private long after;

    private final List<ObjectNode> messages = new ArrayList<>();
    private long skipped;
    private long unread;

    /** {@code after} is -1 where nothing was given before. */
    Reading(Input input, List<ChannelPattern> patterns, Rights rights, long after) {
      this.input = input;
      this.patterns = patterns;
      this.rights = rights;
      this.isFirst = after < 0;
      this.after = Math.clamp(after, 0, recent.last());
    }

    ToolResult await() throws InterruptedException {
      long end = System.nanoTime() + requireNonNullElse(input.waitMs(), 0) * 1_000_000L;
      look();
      while (messages.isEmpty()
          && skipped + unread == 0
          && !stopping
          && System.nanoTime() - end < 0) {
        LockSupport.parkNanos(LOOK_INTERVAL);
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        look();
      }
      return new ToolResult.Success(output());
    }

    private void look() {
      long until = recent.last();
      List<Recent> found = recent.between(after, until);
      unread += isFirst ? 0 : until - after - found.size();
      after = until;
      int limit = requireNonNullElse(input.limit(), DEFAULT_MESSAGES);
      long room = MAX_BYTES;
      for (Recent message : found.reversed()) {
        boolean isFull = messages.size() == limit || (room < 0 && !messages.isEmpty());
        if (!isOf(message.channel()) || (!wantsHousekeeping() && isAmongServices(message))) {
          continue;
        }
        if (isFull && !looksInside() && !rights.isOthers(message.channel())) {
          skipped++;
          continue;
        }
        Optional<ObjectNode> row = row(message);
        if (row.isPresent() && isFull) {
          skipped++;
        } else if (row.isPresent()) {
          messages.add(row.get());
          room -= Math.min(message.size(), MAX_TEXT);
        }
      }
      Collections.reverse(messages);
    }

    private boolean isOf(String channel) {
      return rights.mayRead(channel)
          && patterns.stream()
              .anyMatch(pattern ->
                  pattern.matches(channel) && (wantsHousekeeping() || pattern.asksFor(channel)));
    }

    private boolean isAmongServices(Recent message) {
      String direct = Kind.DIRECT.prefix();
      return message.channel().startsWith(direct)
          && context.access().isService(message.channel().substring(direct.length()))
          && context.access().isService(String.valueOf(EnvelopeHead.senderOf(message.body())));
    }

    private boolean wantsHousekeeping() {
      return Boolean.TRUE.equals(input.housekeeping());
    }

    private boolean looksInside() {
      return input.senderId() != null
          || input.text() != null
          || input.conversationId() != null
          || input.correlationId() != null;
    }

    /** A message as it is shown; empty where it doesn't match. */
    private Optional<ObjectNode> row(Recent message) {
      Envelope envelope = null;
      byte[] text = message.body();
      String malformed = null;
      try {
        envelope = EnvelopeCodec.decode(message.channel(), message.body());
        text = Json.bytes(envelope.payload());
      } catch (MalformedEnvelopeException e) {
        malformed = e.getMessage();
      }
      String sender = rights.isOthers(message.channel()) ? rights.identity : input.senderId();
      boolean matches =
          envelope == null
              ? sender == null && input.conversationId() == null && input.correlationId() == null
              : isEqual(input.senderId(), envelope.senderId())
                  && isEqual(sender, envelope.senderId())
                  && isEqual(input.conversationId(), envelope.conversationId())
                  && isEqual(input.correlationId(), envelope.correlationId());
      if (!matches || !contains(text)) {
        return Optional.empty();
      }
      ObjectNode row =
          Json.object()
              .put("number", message.number())
              .put("at", Timestamps.format(Instant.ofEpochMilli(message.at())))
              .put("channel", message.channel())
              .put("bytes", message.size());
      if (envelope != null) {
        row.put("sender_id", envelope.senderId())
            .put("recipient_id", envelope.recipientId().orElse(null))
            .put("message_id", envelope.messageId().toString())
            .put("conversation_id", envelope.conversationId().toString())
            .put("correlation_id", envelope.correlationId().toString())
            .put("timestamp", Timestamps.format(envelope.timestamp()));
      }
      if (envelope != null && text.length <= MAX_TEXT) {
        return Optional.of(row.putPOJO("payload", new RawJson(text)));
      }
      row.put("text", new String(text, 0, Math.min(text.length, MAX_TEXT), UTF_8));
      row.put("cut", Math.max(text.length, malformed == null ? 0 : message.size()) > MAX_TEXT);
      return Optional.of(malformed == null ? row : row.put("malformed", malformed));
    }

    private static boolean isEqual(@Nullable Object wanted, Object found) {
      return wanted == null || wanted.equals(found);
    }

    private boolean contains(byte[] text) {
      return input.text() == null
          || new String(text, UTF_8)
              .toLowerCase(Locale.ROOT)
              .contains(input.text().toLowerCase(Locale.ROOT));
    }

    private Output output() {
      List<String> withheld = new ArrayList<>();
      if (!rights.othersDirect && asksFor(Kind.DIRECT)) {
        withheld.add(Kind.DIRECT.prefix() + "*");
      }
      for (Kind kind : List.of(Kind.SYSTEM, Kind.STREAM)) {
        if (!rights.housekeeping && asksFor(kind)) {
          withheld.add(kind.prefix() + "*");
        }
      }
      Instant oldest = recent.oldestAt();
      return new Output(
          "success",
          messages,
          epoch() + "." + after,
          isFirst ? null : skipped,
          unread == 0 ? null : unread,
          oldest,
          withheld.isEmpty() ? null : withheld,
          oldest == null ? recent.caveats() : caveats.apply(oldest));
    }

    private boolean asksFor(Kind kind) {
      return patterns.stream()
          .anyMatch(pattern ->
              pattern.mayMatch(kind)
                  && (kind == Kind.DIRECT
                      ? !pattern.text().equals(Kind.DIRECT.prefix() + rights.identity)
                      : wantsHousekeeping() || pattern.asksFor(kind.prefix())));
    }
  }
}
