package joshua.dewey.tool;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import joshua.conversation.envelope.PayloadText;
import joshua.dewey.archive.ArchiveStore;
import joshua.dewey.archive.ArchiveStore.Selection;
import joshua.dewey.archive.TextIndex;
import joshua.dewey.archive.Visibility;
import joshua.dewey.mail.KeptMessage;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import joshua.service.ServiceContext;
import joshua.state.Database;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/** The tool {@code dewey_search}: messages by their words. */
public record SearchTool(ServiceContext context, Database database) {
  private static final int DEFAULT_LIMIT = 20;
  private static final int HIT_BYTES = 600;
  private static final int EXCERPT_BEFORE = 60;
  private static final int EXCERPT = 200;

  /** Halves of characters that the ends of an excerpt cut. */
  private static final String HALVES = "^[\\uDC00-\\uDFFF]|[\\uD800-\\uDBFF]$";

  record Input(
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
      JsonNode envelope = Json.parseTrusted(kept.body().getBytes(StandardCharsets.UTF_8));
      return new Hit(
          kept.position(),
          kept.heardAt(),
          envelope.path("sender_id").asText(),
          envelope.path("channel").asText(),
          excerpt(PayloadText.of(envelope.path("payload")), term),
          envelope.path("message_id").asText(),
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

  record Output(
      String status,
      @SchemaHint("Newest first") List<Hit> hits,
      @SchemaHint("What came later may not be found yet") Instant indexedUntil,
      @SchemaHint("When these may not be all") List<String> caveats) {}

  public Tool<Input> tool() {
    return new Tool<>(
        "dewey_search",
        "Search by words",
        "Finds messages by the words in their texts, their sender and channel. Direct messages of"
            + " others are left out. dewey_history with a hit's conversation_id has them whole.",
        Input.class,
        Output.class,
        Tool.Audience.MODEL,
        Role.VIEWER,
        ToolHints.READS,
        this::begin);
  }

  private CompletableFuture<ToolResult> begin(Input input, ToolCall call) {
    List<String> terms = TextIndex.terms(input.text());
    if (terms.isEmpty()) {
      return ToolResult.refused(
          Refusal.invalidInput("text", "must have a word, for example \"schema v2\""));
    }
    int room = (call.context().preferredMaxBytes() - Message.BESIDE_MESSAGES) / HIT_BYTES;
    int limit = Math.min(requireNonNullElse(input.limit(), DEFAULT_LIMIT), Math.max(room, 1));
    Visibility reader = Visibility.of(call.caller(), context::readsOthersDirect);
    return call.runBlocking(
        () -> new ToolResult.Success(database.read(tx -> output(tx, input, terms, limit, reader))));
  }

  private Output output(
      Transaction tx, Input input, List<String> terms, int limit, Visibility reader) {
    Selection selection =
        new Selection(
            input.channel(),
            input.participant(),
            null,
            null,
            input.since() == null ? 0 : ArchiveStore.positionAt(tx, input.since()),
            input.until() == null ? Long.MAX_VALUE : ArchiveStore.positionAt(tx, input.until()),
            limit);
    List<Hit> hits =
        TextIndex.find(tx, terms, selection, reader).stream()
            .map(kept -> Hit.of(kept, terms.getFirst()))
            .toList();
    Instant since = hits.size() == limit ? hits.getLast().heardAt() : input.since();
    return new Output(
        "success",
        hits,
        TextIndex.indexedUntil(tx),
        HistoryTool.caveats(tx, since, input.until(), context.time().instant()));
  }
}
