package joshua.dewey.tool;

import static java.util.Objects.requireNonNullElse;
import static joshua.dewey.tool.ParticipantTools.invalid;
import static joshua.dewey.tool.ParticipantTools.refused;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.PayloadText;
import joshua.dewey.archive.ArchiveStore;
import joshua.dewey.archive.ArchiveStore.Bounds;
import joshua.dewey.archive.ArchiveStore.MessageKey;
import joshua.dewey.archive.TextIndex;
import joshua.dewey.archive.Visibility;
import joshua.dewey.mail.ExpiredMail;
import joshua.dewey.mail.KeptMessage;
import joshua.dewey.mail.MailStore;
import joshua.kernel.ErrorCode;
import joshua.kernel.Role;
import joshua.kernel.Timestamps;
import joshua.network.Caller;
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
 * The tools that show what was said, as far as their caller may read it: {@code dewey_history},
 * {@code dewey_search} and {@code dewey_trace}.
 *
 * @param lastSeen when a participant was last there, if that is known
 */
public record ReadTools(
    ServiceContext context, Database database, Function<String, Optional<Instant>> lastSeen) {
  private static final int DEFAULT_MESSAGES = 50;
  private static final int DEFAULT_HITS = 20;
  private static final int HIT_BYTES = 600;
  private static final int EXCERPT_BEFORE = 60;
  private static final int EXCERPT = 200;

  /** Halves of characters that the ends of an excerpt cut. */
  private static final String HALVES = "^[\\uDC00-\\uDFFF]|[\\uD800-\\uDBFF]$";

  public List<Tool<?>> tools() {
    return List.of(
        new Tool<>(
            "dewey_history",
            "What was said",
            "What was said on a channel or by and to a participant, newest first, or in a"
                + " conversation or correlation, in its order. Direct messages of others are left"
                + " out. A message's position is its place in the order of the bus.",
            History.class,
            Messages.class,
            Tool.Audience.MODEL,
            Role.VIEWER,
            ToolHints.READS,
            reading(this::history)),
        new Tool<>(
            "dewey_search",
            "Search by words",
            "Finds messages by the words in their texts, their sender and channel. Direct messages"
                + " of others are left out. dewey_history with a hit's conversation_id has them"
                + " whole.",
            Search.class,
            Hits.class,
            Tool.Audience.MODEL,
            Role.VIEWER,
            ToolHints.READS,
            reading(this::search)),
        new Tool<>(
            "dewey_trace",
            "What became of a message",
            "Says whether a message is kept, was collected by its recipient, and was answered.",
            Trace.class,
            Traced.class,
            Tool.Audience.MODEL,
            Role.VIEWER,
            ToolHints.READS,
            reading(this::trace)));
  }

  private interface Reading<I> {
    ToolResult read(Transaction tx, I input, ToolCall call, Visibility reader);
  }

  private <I> Tool.Function<I> reading(Reading<I> reading) {
    return (input, call) -> {
      Caller caller = call.caller();
      Visibility reader =
          new Visibility(context.readsOthersDirect(caller), caller.identity().orElse(""));
      return call.runBlocking(() -> database.read(tx -> reading.read(tx, input, call, reader)));
    };
  }

  record History(
      @SchemaHint(value = "What was said there", max = 164) @Nullable String channel,
      @SchemaHint(value = "What it said, and what was said to it", max = 128)
          @Nullable String participant,
      @Nullable UUID conversationId,
      @SchemaHint("A question and its answers") @Nullable UUID correlationId,
      @SchemaHint("Not before this time") @Nullable Instant since,
      @SchemaHint("Before this time") @Nullable Instant until,
      @SchemaHint(value = "Before this position: that of the last answer", min = 1)
          @Nullable Long before,
      @SchemaHint(min = 1, max = 500) @Nullable Integer limit,
      @SchemaHint(value = "Of messages", min = 1, max = Message.MAX_BYTES)
          @Nullable Integer maxBytes) {

    private @Nullable Object value(MessageKey key) {
      return switch (key) {
        case ID -> null;
        case CHANNEL -> channel;
        case PARTICIPANT -> participant;
        case CONVERSATION -> conversationId;
        case CORRELATION -> correlationId;
      };
    }
  }

  record Messages(
      String status,
      List<Message> messages,
      @JsonInclude(JsonInclude.Include.NON_NULL)
          @SchemaHint("There are more: ask again with this; absent at the end")
          @Nullable Long before,
      @SchemaHint("When these may not be all") List<String> caveats) {}

  private ToolResult history(Transaction tx, History input, ToolCall call, Visibility reader) {
    List<MessageKey> keys =
        Stream.of(MessageKey.values()).filter(key -> input.value(key) != null).toList();
    if (keys.size() != 1) {
      return invalid(
          "input",
          "must have one of channel, participant, conversation_id and correlation_id, for"
              + " example {\"channel\":\"mad.broadcast\"}; it has %d".formatted(keys.size()));
    }
    MessageKey key = keys.getFirst();
    int limit = requireNonNullElse(input.limit(), DEFAULT_MESSAGES);
    Bounds bounds = Bounds.of(tx, input.since(), input.until(), input.before(), limit + 1);
    List<KeptMessage> found =
        ArchiveStore.find(tx, key, String.valueOf(input.value(key)), bounds, reader);
    int room = Message.room(input.maxBytes(), call);
    List<Message> page = Message.fitting(found.stream().limit(limit).toList(), room);
    Long before = page.size() == found.size() ? null : page.getLast().position();
    Instant since = before == null ? input.since() : page.getLast().heardAt();
    boolean isInOrder = key == MessageKey.CONVERSATION || key == MessageKey.CORRELATION;
    List<Message> messages = isInOrder ? page.reversed() : page;
    List<String> caveats = caveats(tx, since, input.until());
    return new ToolResult.Success(new Messages("success", messages, before, caveats));
  }

  /** What may be missing from an answer about a span of time. */
  private List<String> caveats(Transaction tx, @Nullable Instant since, @Nullable Instant until) {
    Instant from = requireNonNullElse(since, Instant.EPOCH);
    List<String> caveats =
        new ArrayList<>(WatchedTime.caveats(tx, from, until, "Dewey", "keeping what was said"));
    if (until != null && until.isAfter(context.time().instant())) {
      caveats.add("until is yet to come: this is what there was until now.");
    }
    return caveats;
  }

  record Search(
      @SchemaHint(
              value = "Words, and \"phrases\" in quotes; a message must have all of them",
              min = 1,
              max = 500)
          String text,
      @SchemaHint(value = "Only by or to this one", max = 128) @Nullable String participant,
      @SchemaHint(value = "Only there", max = 164) @Nullable String channel,
      @SchemaHint("Not before this time") @Nullable Instant since,
      @SchemaHint("Before this time") @Nullable Instant until,
      @SchemaHint(min = 1, max = 100) @Nullable Integer limit) {}

  record Hit(
      long position,
      Instant heardAt,
      String senderId,
      String channel,
      String excerpt,
      String messageId,
      String conversationId) {

    static Hit of(KeptMessage kept, String term) {
      JsonNode envelope = kept.envelope();
      return new Hit(
          kept.position(),
          kept.heardAt(),
          envelope.path("sender_id").asText(),
          envelope.path("channel").asText(),
          excerpt(PayloadText.of(envelope.path("payload")), term),
          kept.messageId(),
          envelope.path("conversation_id").asText());
    }

    /** The text around a term; its beginning if it isn't spelt so. */
    private static String excerpt(String text, String term) {
      int found = text.toLowerCase(Locale.ROOT).indexOf(term.toLowerCase(Locale.ROOT));
      int from = Math.clamp(found - EXCERPT_BEFORE, 0, text.length());
      int until = Math.min(text.length(), from + EXCERPT);
      String excerpt = text.substring(from, until).replaceAll(HALVES, "");
      return (from > 0 ? "…" : "") + excerpt + (until < text.length() ? "…" : "");
    }
  }

  record Hits(
      String status,
      @SchemaHint("Newest first") List<Hit> hits,
      @SchemaHint("What came later may not be found yet") Instant indexedUntil,
      @SchemaHint("When these may not be all") List<String> caveats) {}

  private ToolResult search(Transaction tx, Search input, ToolCall call, Visibility reader) {
    List<String> terms = TextIndex.terms(input.text());
    if (terms.isEmpty()) {
      return invalid("text", "must have a word, for example \"schema v2\"");
    }
    int room = (call.context().preferredMaxBytes() - Message.BESIDE_MESSAGES) / HIT_BYTES;
    int limit = Math.min(requireNonNullElse(input.limit(), DEFAULT_HITS), Math.max(room, 1));
    Bounds bounds = Bounds.of(tx, input.since(), input.until(), null, limit);
    List<Hit> hits =
        TextIndex.find(tx, terms, input.participant(), input.channel(), bounds, reader).stream()
            .map(kept -> Hit.of(kept, terms.getFirst()))
            .toList();
    Instant since = hits.size() == limit ? hits.getLast().heardAt() : input.since();
    List<String> caveats = caveats(tx, since, input.until());
    return new ToolResult.Success(new Hits("success", hits, TextIndex.indexedUntil(tx), caveats));
  }

  record Trace(UUID messageId) {}

  record Step(
      @SchemaHint("published, kept, given, collected, acknowledged, answered") String state,
      Instant at,
      @SchemaHint("Whose clock says so") String by,
      String evidence) {}

  record Traced(
      String status,
      Message message,
      @SchemaHint("In this order, as far as it has come") List<Step> steps,
      @SchemaHint("What is to come") String next) {}

  private static final String STEPS =
      """
      with q as (select * from message where position = ?),
      given as (select mail.* from q join mail using (message_id, position))
      select state, at, clock, evidence from (
        select 1 as step, 'published' as state,
          cast(round(unixepoch(body ->> 'timestamp', 'subsec') * 1000) as integer) as at,
          sender_id as clock, 'its timestamp' as evidence from q
        union all select 2, 'kept', heard_at, 'dewey', 'position ' || position from q
        union all select 3, 'given', given_at, 'dewey', 'by ' || given_by from given
        union all select 4, 'collected', collected_at, 'dewey', 'by ' || collected_by from given
        union all select 5, 'acknowledged', acknowledged_at, 'dewey',
          'by ' || recipient || iif(response is null, '', ' with a response') from given
        union all select * from (
          select 6, 'answered', a.heard_at, 'dewey', 'message ' || a.message_id
          from q join message a
            on q.channel = 'mad.direct.' || a.sender_id and a.channel = 'mad.direct.' || q.sender_id
            and (a.correlation_id = q.correlation_id or a.conversation_id = q.conversation_id)
          where a.position > q.position
          order by a.correlation_id <> q.correlation_id, a.position limit 1)
      ) where at is not null order by step
      """;

  private ToolResult trace(Transaction tx, Trace input, ToolCall call, Visibility reader) {
    Optional<KeptMessage> found = ArchiveStore.withId(tx, input.messageId(), reader);
    if (found.isEmpty()) { // one answer for what isn't kept and what isn't the caller's
      return refused(
          ErrorCode.UNKNOWN_MESSAGE,
          "No message %s of yours is kept; one of the last second may not be yet."
              .formatted(input.messageId()));
    }
    KeptMessage kept = found.get();
    List<Step> steps = tx.rows(Step.class, STEPS, kept.position());
    Message message = Message.fitting(List.of(kept), Message.room(null, call)).getFirst();
    String next = next(tx, kept, steps.getLast().state());
    return new ToolResult.Success(new Traced("success", message, steps, next));
  }

  private String next(Transaction tx, KeptMessage kept, String lastStep) {
    JsonNode envelope = kept.envelope();
    Channel channel = new Channel(envelope.path("channel").asText());
    if (channel.recipient().isEmpty()) {
      return "It was for all who follow %s; who read it isn't known.".formatted(channel.name());
    }
    String recipient = channel.recipient().get();
    if (lastStep.equals("answered")) {
      return "%s has answered.".formatted(recipient);
    }
    return recipient
        + switch (kept.state()) {
          case null -> noMail(tx, recipient, kept.heardAt(), envelope.path("payload"));
          case "collected" -> " has it, and hasn't answered.";
          case "given" -> " was given it, and hasn't asked for more since.";
          default -> " hasn't collected it" + seen(tx, recipient) + wake(tx, recipient);
        };
  }

  private String seen(Transaction tx, String recipient) {
    return lastSeen
        .apply(recipient)
        .map(at -> ", and was last there at %s.".formatted(Timestamps.format(at)))
        .or(() -> MailStore.firstJoin(tx, recipient).map(at -> "."))
        .orElse(", and was never heard.");
  }

  /** What is done to wake a recipient. */
  private static String wake(Transaction tx, String recipient) {
    return tx.row(
            String.class,
            """
            select ' Wake ' || wake_id || ' is ' || lower(state)
              || iif(state = 'DUE' and runner_at < unixepoch() * 1000 - 60000, ' (no runner)', '')
              || ', after ' || tries || iif(tries = 1, ' try.', ' tries.')
            from wake join waker using (participant)
            where participant = ? and state <> 'DONE' order by wake_id desc limit 1
            """,
            recipient)
        .orElse("");
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
