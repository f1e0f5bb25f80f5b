package joshua.horace.document;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import joshua.horace.change.Answer;
import joshua.horace.change.Request;
import joshua.horace.document.VersionStore.Version;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Timestamps;
import joshua.kernel.UnicodeText;
import joshua.network.Name;
import joshua.network.SchemaHint;
import joshua.network.ToolResult;
import joshua.state.Database;
import org.jspecify.annotations.Nullable;

/** The reading of documents: whole, in pieces or as data, and the search for a text in all. */
public final class Reading {
  private static final String CONTENT = "content";
  private static final int BESIDE_CONTENT = 1_000;
  private static final int DEFAULT_MATCHES = 50;
  private static final int MAX_LINE = 300;
  private static final int MAX_SEARCHED = 32 * 1024 * 1024;

  private final Database database;
  private final Locks locks;
  private final Semaphore searches = new Semaphore(1);

  public Reading(Database database, Locks locks) {
    this.database = database;
    this.locks = locks;
  }

  /** What a document is read as. */
  public enum As {
    TEXT,
    DATA
  }

  /** The input of {@code document_read}. */
  public record Read(
      String path,
      @SchemaHint(value = "The current one if left out", min = 1) @Nullable Long version,
      @SchemaHint("data: JSON or YAML as a value") @Nullable As as,
      @SchemaHint(value = "In bytes: next_offset of the last piece", min = 0)
          @Nullable Integer offset,
      @SchemaHint(value = "Of the piece", min = 100, max = 4_000_000) @Nullable Integer maxBytes,
      @SchemaHint("Answer exists: false in place of not_found") @Nullable Boolean allowMissing,
      @Nullable String project,
      @Name @Nullable String clientId)
      implements Request.Input {}

  private record Seen(Optional<Version> version, @Nullable ObjectNode lock, ToolResult notFound) {}

  public ToolResult read(Request by, Read input) {
    String path = input.path();
    Seen seen =
        database.read(tx -> {
          Optional<Version> found =
              VersionStore.find(tx, by.project(), path, input.version())
                  .filter(version -> !version.isDeleted());
          ObjectNode missing = by.about(path).put("exists", false);
          return new Seen(
              found,
              locks.shown(tx, by, path),
              found.isPresent() || requireNonNullElse(input.allowMissing(), false)
                  ? Answer.of(missing)
                  : VersionStore.notFound(tx, by, path));
        });
    if (seen.version().isEmpty()) {
      return seen.notFound();
    }
    Version version = seen.version().get();
    ObjectNode answer =
        by.about(path)
            .put("exists", true)
            .put("version", version.version())
            .put("format", version.format().word())
            .put("bytes", version.bytes())
            .put("author", version.author())
            .put("at", Timestamps.format(version.at()));
    Optional.ofNullable(version.note()).ifPresent(note -> answer.put("note", note));
    Optional.ofNullable(seen.lock()).ifPresent(lock -> answer.set("lock", lock));
    int room = requireNonNullElse(input.maxBytes(), by.room() - BESIDE_CONTENT);
    if (input.as() != As.DATA) {
      addPiece(answer, version.content(), requireNonNullElse(input.offset(), 0), room);
    } else if (!version.format().hasData()) {
      return Answer.invalid("as", "must be text for a document that isn't JSON or YAML");
    } else if (version.bytes() > room) {
      String sentence =
          "%s has %d bytes: read it as text in pieces, or set max_bytes."
              .formatted(path, version.bytes());
      return Answer.refused(ErrorCode.TOO_LARGE, sentence);
    } else {
      answer.set("data", version.format().parse(path, version.content()));
    }
    return Answer.of(answer);
  }

  /** Adds a piece of a text that has no part of a character. */
  public static void addPiece(ObjectNode answer, String content, int offset, int room) {
    byte[] utf8 = content.getBytes(StandardCharsets.UTF_8);
    int from = boundary(utf8, offset, 1);
    int to = boundary(utf8, Math.max(from, (int) Math.min(utf8.length, (long) from + room)), -1);
    answer.put(CONTENT, new String(utf8, from, to - from, StandardCharsets.UTF_8));
    if (to < utf8.length) {
      answer.put("next_offset", to);
    }
  }

  /** The next index, in a direction, at which a character begins, or the end. */
  private static int boundary(byte[] utf8, int index, int direction) {
    int at = Math.min(index, utf8.length);
    while (at < utf8.length && (utf8[at] & 0xC0) == 0x80) {
      at += direction;
    }
    return at;
  }

  /** The input of {@code document_search}. */
  public record Search(
      @SchemaHint(value = "A part of a line, in any case", min = 1, max = 200) String query,
      @SchemaHint("Only paths that begin with this") @Nullable String prefix,
      @SchemaHint(value = "How many lines; 50 if left out", min = 1, max = 1_000)
          @Nullable Integer limit,
      @SchemaHint("In all projects") @Nullable Boolean everywhere,
      @Nullable String project,
      @Name @Nullable String clientId)
      implements Request.Input {}

  private record Found(String project, String path, long version, String content, long documents) {}

  private record Hit(String project, String path, long version, long line, String text) {}

  /** Finds the lines that have a text; one search runs at a time. */
  public ToolResult search(Request by, Search input) {
    if (!searches.tryAcquire()) {
      return Answer.refused(ErrorCode.OVERLOADED, "Another search runs; try again in a second.");
    }
    try {
      String folded = input.query().toLowerCase(Locale.ROOT);
      List<Found> documents =
          database.read(tx ->
              tx.rows(
                  Found.class,
                  """
                  select project, path, version, content, documents from (
                    select *, count(*) over () as documents,
                      sum(bytes) over (order by project = ?2 desc, project, path) as total
                    from document join document_version using (project, path, version)
                    where deleted = 0 and (?1 or project = ?2)
                      and (?3 is null or substr(path, 1, length(?3)) = ?3)
                      and instr(fold(content), ?4) > 0)
                  where total - bytes < ?5
                  order by project = ?2 desc, project, path
                  """,
                  requireNonNullElse(input.everywhere(), false),
                  by.project(),
                  input.prefix(),
                  folded,
                  MAX_SEARCHED));
      List<Hit> hits = documents.stream().flatMap(it -> hits(it, folded)).toList();
      ObjectNode answer = Json.object();
      ArrayNode shown = answer.putArray("matches");
      int room = by.room() - BESIDE_CONTENT;
      for (Hit hit : hits) {
        ObjectNode row = Json.mapper().valueToTree(hit);
        room -= Json.bytes(row).length;
        if (shown.size() == requireNonNullElse(input.limit(), DEFAULT_MATCHES)
            || (room < 0 && !shown.isEmpty())) {
          break;
        }
        shown.add(row);
      }
      answer.put("total", hits.size()).put("left_out", hits.size() - shown.size());
      long all = documents.isEmpty() ? 0 : documents.getFirst().documents();
      answer.put("documents", all);
      if (all > documents.size()) {
        String caveat =
            "Only the lines of the first %d documents are counted; prefix narrows the search."
                .formatted(documents.size());
        answer.put("caveat", caveat);
      }
      return Answer.of(answer);
    } finally {
      searches.release();
    }
  }

  private static Stream<Hit> hits(Found document, String folded) {
    String[] lines = document.content().split("\\R", -1);
    return java.util.stream.IntStream.range(0, lines.length)
        .filter(line -> lines[line].toLowerCase(Locale.ROOT).contains(folded))
        .mapToObj(line ->
            new Hit(
                document.project(),
                document.path(),
                document.version(),
                line + 1L,
                UnicodeText.truncate(lines[line].strip(), MAX_LINE)));
  }
}
