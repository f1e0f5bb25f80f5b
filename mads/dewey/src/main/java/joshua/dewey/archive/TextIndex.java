package joshua.dewey.archive;

import java.time.Instant;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import joshua.dewey.archive.ArchiveStore.Bounds;
import joshua.dewey.mail.KeptMessage;
import joshua.state.Database;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The index of the words of messages: the texts in payloads, senders and channels. It is filled
 * from the table, while the {@link ArchiveWriter} has little to store. For one thread, but for the
 * static methods.
 */
public final class TextIndex {
  /** The most of a step, for which the writer may have to wait. */
  private static final int MAX_ROWS = 100;

  private static final int MAX_BYTES = 512 * 1024;
  private static final int STEPS = 5;

  /** So many stored between two rounds leave no time for the index, in some rounds to come. */
  private static final int MANY = 200;

  private static final int BUSY_ROUNDS = 10;

  /** A phrase in quotes, or a word. */
  private static final Pattern TERM = Pattern.compile("\"[^\"]*\"|[^\\s\"]+");

  private final Database database;
  private final LongSupplier storedPosition;
  private long stored;
  private int busyRounds;
  private boolean isComplete;

  /** An index whose messages are on disk until a position. */
  public TextIndex(Database database, LongSupplier storedPosition) {
    this.database = database;
    this.storedPosition = storedPosition;
  }

  /** Adds the next messages, unless many have just been stored; called every 50 ms. */
  public void addSome() {
    long before = stored;
    stored = storedPosition.getAsLong();
    boolean isBusy = before > 0 && stored - before > MANY;
    busyRounds = isBusy ? BUSY_ROUNDS : Math.max(0, busyRounds - 1);
    isComplete &= stored == before;
    for (int i = 0; i < STEPS && busyRounds == 0 && !isComplete; i++) {
      isComplete = !database.<Boolean>write(TextIndex::addNext);
    }
  }

  /** Adds the next messages, if there are any. */
  private static boolean addNext(Transaction tx) {
    long last =
        tx.number(
            """
            select coalesce(max(position), 0) from (
              select position, sum(octet_length(body))
                over (order by position rows unbounded preceding) - octet_length(body) as before
              from message where position > (select indexed_until from archive)
              order by position limit ?)
            where before < ?
            """,
            MAX_ROWS,
            MAX_BYTES);
    tx.update(
        """
        insert into message_text (rowid, text)
        select position, concat_ws(char(10), sender_id, channel, (
          select group_concat(atom, char(10)) from json_tree(body, '$.payload')
          where type = 'text'))
        from message where position > (select indexed_until from archive) and position <= ?
        """,
        last);
    return last > 0 && tx.update("update archive set indexed_until = ?", last) > 0;
  }

  /** Until when everything that is kept can be found. */
  public static Instant indexedUntil(Transaction tx) {
    return tx.row(
            Instant.class,
            """
            select coalesce(
              (select heard_at from message where position > indexed_until
                order by position limit 1),
              (select max(until_at, coalesce(
                (select heard_at from message order by position desc limit 1), 0)) from watched))
            from archive
            """)
        .orElseThrow();
  }

  /** The words and {@code "phrases"} of a query; other characters have no meaning. */
  public static List<String> terms(String query) {
    return TERM.matcher(query.replaceAll("\\p{Cntrl}", " "))
        .results()
        .map(found -> found.group().replace("\"", ""))
        .filter(term -> term.codePoints().anyMatch(Character::isLetterOrDigit))
        .toList();
  }

  /** The newest messages with all of some terms, as a reader may read them. */
  public static List<KeptMessage> find(
      Transaction tx,
      List<String> terms,
      @Nullable String participant,
      @Nullable String channel,
      Bounds bounds,
      Visibility reader) {
    return tx.rows(
        KeptMessage.class,
        FIND,
        terms.stream().collect(Collectors.joining("\" \"", "\"", "\"")),
        participant,
        channel,
        bounds.from(),
        bounds.before(),
        bounds.limit(),
        reader.readsAll(),
        reader.name());
  }

  private static final String FIND =
      ArchiveStore.FOUND.formatted(
          """
          select position from message_text cross join message on position = message_text.rowid
          where message_text match ?1
            and (?2 is null or sender_id = ?2 or channel = 'mad.direct.' || ?2)
            and (?3 is null or channel = ?3)
            and message_text.rowid >= ?4 and message_text.rowid < ?5 and %s
          order by message_text.rowid desc limit ?6
          """
              .formatted(Visibility.SQL.formatted("?7", "?8")));
}
