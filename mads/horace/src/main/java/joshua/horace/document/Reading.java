package joshua.horace.document;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import joshua.horace.change.Refused;
import joshua.horace.change.Request;
import joshua.horace.change.Request.Scope;
import joshua.horace.document.VersionStore.Version;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.UnicodeText;
import joshua.network.SchemaHint;
import joshua.state.Database;
import org.jspecify.annotations.Nullable;

/** The reading of documents: whole, in pieces or as data, and the search for a text in all. */
public record Reading(Database database, Locks locks, Semaphore searches) {
  private static final int DEFAULT_MATCHES = 50;
  private static final int MAX_LINE = 300;
  private static final int MAX_SEARCHED = 32 * 1024 * 1024;

  public Reading(Database database, Locks locks) {
    this(database, locks, new Semaphore(1));
  }

  /** What a document is read as. */
  public enum As {
    TEXT,
    DATA
  }

  public record Read(
      String path,
      @SchemaHint(value = "The current one if left out", min = 1) @Nullable Long version,
      @SchemaHint("data: JSON or YAML as a value") @Nullable As as,
      @SchemaHint(value = "next_offset of the last piece; give its version, too", min = 0)
          @Nullable Integer offset,
      @SchemaHint(value = "Of the piece", min = 100, max = 4_000_000) @Nullable Integer maxBytes,
      @SchemaHint("Answer exists: false in place of not_found") @Nullable Boolean allowMissing,
      @JsonUnwrapped Scope scope)
      implements Request.Input {}

  /** The oldest version of a document that is kept. */
  public long oldestKept(Request by, String path) {
    String oldest =
        "select version from document_version where project = ? and path = ? order by version";
    return database.read(tx ->
        tx.row(Long.class, oldest, by.project(), path)
            .orElseThrow(() -> VersionStore.notFound(tx, by, path)));
  }

  public ObjectNode read(Request by, Read input) {
    String path = input.path();
    ObjectNode answer = by.answer().put("path", path);
    boolean allowed = input.version() == null && requireNonNullElse(input.allowMissing(), false);
    Optional<Version> found =
        database.read(tx -> {
          locks.shown(tx, by, path).ifPresent(lock -> answer.set("lock", lock));
          return allowed
              ? VersionStore.find(tx, by.project(), path)
              : Optional.of(VersionStore.require(tx, by, path, input.version()));
        });
    if (found.isEmpty()) {
      return answer.put("exists", false);
    }
    Version version = found.get();
    answer.put("exists", true).setAll(Json.mapper().<ObjectNode>valueToTree(version));
    int room = requireNonNullElse(input.maxBytes(), by.roomForRows());
    if (input.as() != As.DATA) {
      addPiece(answer, version.content(), input.offset(), room);
      return answer;
    } else if (!version.format().hasData()) {
      throw Refused.invalid("as must be text for a document that isn't JSON or YAML");
    } else if (version.bytes() > room) {
      throw Refused.tooLarge(
          "%s has %d bytes: read it as text in pieces, or set max_bytes.", path, version.bytes());
    }
    return answer.set("data", version.format().parse(path, version.content()));
  }

  /** Adds a piece of a text that has no part of a character. */
  public static void addPiece(
      ObjectNode answer, String content, @Nullable Integer offset, int room) {
    byte[] utf8 = content.getBytes(StandardCharsets.UTF_8);
    int from = boundary(utf8, requireNonNullElse(offset, 0), 1);
    int to = boundary(utf8, Math.max(from, (int) Math.min(utf8.length, (long) from + room)), -1);
    answer.put("content", new String(utf8, from, to - from, StandardCharsets.UTF_8));
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

  public record Search(
      @SchemaHint(value = "A part of a line, in any case", min = 1, max = 200) String query,
      @SchemaHint("Only paths that begin with this") @Nullable String prefix,
      @SchemaHint(value = "How many lines; 50 if left out", min = 1, max = 1_000)
          @Nullable Integer limit,
      @SchemaHint("In all projects") @Nullable Boolean everywhere,
      @JsonUnwrapped Scope scope)
      implements Request.Input {}

  private record Found(String project, String path, long version, String content, long documents) {}

  private static final String SEARCHED =
      """
      select count(*) from document where deleted = 0 and (?1 or project = ?2)
        and (?3 is null or substr(path, 1, length(?3)) = ?3)
      """;

  private record Hit(String project, String path, long version, long line, String text) {}

  /** Finds the lines that have a text; one search runs at a time. */
  public ObjectNode search(Request by, Search input) throws InterruptedException {
    if (!searches.tryAcquire(5, TimeUnit.SECONDS)) {
      throw Refused.of(ErrorCode.OVERLOADED, "Other searches run; try again in some seconds.");
    }
    try {
      String folded = input.query().toLowerCase(Locale.ROOT);
      boolean everywhere = requireNonNullElse(input.everywhere(), false);
      @Nullable Object[] asked = {everywhere, by.project(), input.prefix(), folded, MAX_SEARCHED};
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
                  asked));
      List<Hit> hits = documents.stream().flatMap(it -> hits(it, folded)).toList();
      ObjectNode answer = Json.object();
      int limit = requireNonNullElse(input.limit(), DEFAULT_MATCHES);
      int shown = by.fit(answer, "matches", hits, limit).size();
      answer.put("total", hits.size()).put("left_out", hits.size() - shown);
      long all = documents.isEmpty() ? 0 : documents.getFirst().documents();
      long searched =
          database.read(tx -> tx.number(SEARCHED, everywhere, by.project(), input.prefix()));
      answer.put("documents", all).put("searched", searched);
      if (all > documents.size()) {
        String caveat =
            "Only the lines of the first %d documents are counted; prefix narrows the search."
                .formatted(documents.size());
        answer.put("caveat", caveat);
      }
      return answer;
    } finally {
      searches.release();
    }
  }

  private static Stream<Hit> hits(Found in, String folded) {
    String[] lines = in.content().split("\\R", -1);
    return IntStream.range(0, lines.length)
        .filter(line -> lines[line].toLowerCase(Locale.ROOT).contains(folded))
        .mapToObj(line -> {
          String text = shown(lines[line], lines[line].toLowerCase(Locale.ROOT).indexOf(folded));
          return new Hit(in.project(), in.path(), in.version(), line + 1L, text);
        });
  }

  /** The part of a line that shows what is found at an index. */
  private static String shown(String line, int at) {
    boolean near = at < MAX_LINE / 2;
    int from = near ? 0 : line.offsetByCodePoints(Math.min(at, line.length()), -MAX_LINE / 4);
    return UnicodeText.truncate(line.substring(from).strip(), MAX_LINE);
  }
}
