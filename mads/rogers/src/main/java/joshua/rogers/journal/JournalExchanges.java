package joshua.rogers.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import joshua.kernel.DirectReaders;
import joshua.kernel.Json;
import joshua.network.Caller;
import joshua.rogers.store.NamedSql;
import joshua.rogers.store.ReadPermission;
import joshua.state.Database;
import joshua.state.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges in the journal, each in the order of the bus. An exchange is complete if the
 * journal left nothing out between its first and its last message here, Rogers watched all the
 * time, and nothing of it is hidden from the caller.
 */
public final class JournalExchanges {
  /** The most messages returned at once. */
  public static final int MOST = 1_000;

  /** The id that ties messages together. */
  public enum By {
    CONVERSATION("conversation_id"),
    CORRELATION("correlation_id");

    private final String column;

    By(String column) {
      this.column = column;
    }

    public String member() {
      return column;
    }

    /** Hidden messages are counted, and not read. */
    private NamedSql messages() {
      return NamedSql.of(
          """
          select seen, at, message_id, conversation_id, correlation_id, sender_id, recipient_id,
                 channel, iif(seen, payload, null) as payload, payload_bytes, cut
          from (select *, %s as seen from journal where %s = :id order by entry_id limit :limit)
          order by entry_id
          """
              .formatted(SEEN, column));
    }

    /** Goes from one id to the next by the index, no matter how many messages each has. */
    private NamedSql ids() {
      return NamedSql.of(
          """
          with recursive ids(id) as (
            select min(%1$s) from journal where %1$s between :since and :until
            union all
            select (select min(%1$s) from journal where %1$s > id and %1$s < :until)
            from ids where id is not null)
          select id from ids where id is not null limit :limit
          """
              .formatted(column));
    }

    private NamedSql newest() {
      return NamedSql.of(
          """
          select max(entry_id) as newest
          from (select *, %s as seen from journal where %s = :id order by entry_id desc limit :limit)
          where seen
          """
              .formatted(SEEN, column));
    }
  }

  /** The rule of {@link ReadPermission}, for statements. */
  private static final String SEEN =
      """
      (:viewer is null or sender_id = :viewer or recipient_id = :viewer
        or channel in ('mad.broadcast', 'mad.direct.' || :viewer) or channel glob 'mad.topic.*')\
      """;

  private static final NamedSql NEWEST =
      NamedSql.of("select coalesce(max(entry_id), 0) as newest from journal");

  private static final NamedSql CHANGED =
      NamedSql.of("select distinct conversation_id from journal where entry_id > :after");

  private static final NamedSql HOLES =
      NamedSql.of(
          """
          select since, until, reason, messages from journal_gaps
          where until > :since and since < :until
          union all
          select since, until, reason, missed from not_seen
          where coalesce(until, '9999') > :since and since < :until
          order by 1 limit 100
          """);

  private static final NamedSql BEGINNING =
      NamedSql.of(
          "select min(at) as at from journal where entry_id = (select min(entry_id) from journal)");

  private final Database database;
  private final boolean on;
  private final DirectReaders readers;

  public JournalExchanges(Database database, JournalConfig config, DirectReaders readers) {
    this.readers = readers;
    this.database = database;
    this.on = config.on();
  }

  /** The ids in the journal that begin with {@code prefix}, up to a limit. */
  public List<String> ids(By by, String prefix, int most)
      throws StoreUnavailableException, InterruptedException {
    return by.ids()
        .rows(
            database,
            name ->
                switch (name) {
                  case "since" -> prefix;
                  // No digit of an id sorts after g.
                  case "until" -> prefix + "g";
                  case "limit" -> most;
                  default -> throw new IllegalArgumentException(name);
                })
        .findValuesAsText("id");
  }

  /** What a caller may see of the exchanges. */
  public ReadPermission sight(Caller caller) {
    return ReadPermission.ofMessages(caller, readers);
  }

  /** The messages of an exchange, as far as the caller may see them. */
  public ObjectNode read(By by, UUID id, ReadPermission readPermission)
      throws StoreUnavailableException, InterruptedException {
    return database.read(connection -> read(connection, by, id, readPermission));
  }

  private ObjectNode read(Connection connection, By by, UUID id, ReadPermission readPermission)
      throws SQLException {
    ArrayNode all =
        by.messages().rows(connection, name -> value(name, id, readPermission, MOST + 1));
    boolean more = all.size() > MOST;
    if (more) {
      all.remove(MOST);
    }
    ObjectNode answer = Json.object().put("status", "success");
    ArrayNode messages = answer.putArray("messages");
    answer.put("complete", false);
    ArrayNode why = Json.shared().createArrayNode();
    for (JsonNode message : all) {
      if (message.path("seen").asInt() != 0) {
        messages.add(shown((ObjectNode) message));
      }
    }
    if (messages.isEmpty() && readPermission.viewer().isPresent()) {
      // The same whether it exists or not: that others have exchanged something is private.
      why.add("The journal has nothing of it that you may read.");
    } else if (all.isEmpty()) {
      why.add("The journal has nothing of it.");
    } else {
      if (messages.size() < all.size()) {
        why.add(
            "Direct messages between others are shown to admins and the client ids of JOSHUA_DIRECT_READERS.");
      }
      if (more) {
        why.add("There are more messages: these are the first %d.".formatted(MOST));
      }
      holes(connection, all, why);
    }
    if (!on) {
      why.add("The journal is switched off (JOSHUA_ROGERS_JOURNAL).");
    }
    answer.put("complete", why.isEmpty());
    answer.set("incomplete_because", why);
    answer.set("journal_since", BEGINNING.rows(connection, _ -> null).path(0).path("at"));
    return answer;
  }

  private static void holes(Connection connection, ArrayNode messages, ArrayNode why)
      throws SQLException {
    String first = messages.path(0).path("at").asText();
    String last = messages.path(messages.size() - 1).path("at").asText();
    for (JsonNode hole : HOLES.rows(connection, name -> name.equals("since") ? first : last)) {
      why.add(
          "Between %s and %s %s left out: %s."
              .formatted(
                  hole.path("since").asText(),
                  hole.path("until").asText("now"),
                  hole.path("messages").isNull()
                      ? "messages may be"
                      : hole.path("messages").asText() + " messages were",
                  hole.path("reason").asText()));
    }
  }

  private static @Nullable Object value(
      String name, UUID id, ReadPermission readPermission, int limit) {
    return switch (name) {
      case "id" -> id.toString();
      case "viewer" -> readPermission.viewerOrNull();
      case "limit" -> limit;
      default -> throw new IllegalArgumentException(name);
    };
  }

  /**
   * With its payload as JSON; for a payload that was cut, its beginning as text. It is all text,
   * too, if a number just within the length limit exceeds it in the journal, which writes it with a
   * point and a longer exponent.
   */
  private static ObjectNode shown(ObjectNode row) {
    String payload = row.remove("payload").asText();
    boolean cut = row.path("cut").asInt() != 0;
    row.put("cut", cut);
    row.remove("seen");
    if (!cut && isJson(payload)) {
      // As raw text: the parsed trees of all of them may take fifty times as much memory.
      row.putRawValue("payload", new RawValue(payload));
    } else {
      row.putNull("payload").put("payload_head", payload);
    }
    return row;
  }

  private static boolean isJson(String payload) {
    try {
      return !Json.parse(payload).isMissingNode();
    } catch (Json.MalformedJsonException e) {
      return false;
    }
  }

  /** The newest message of all; 0 if there is none. */
  public long newest() throws StoreUnavailableException, InterruptedException {
    return NEWEST.rows(database, _ -> null).path(0).path("newest").asLong();
  }

  /** The exchanges to which something was added after that message. */
  public Set<UUID> changedSince(long entry) throws StoreUnavailableException, InterruptedException {
    Set<UUID> changed = new HashSet<>();
    for (JsonNode row : CHANGED.rows(database, _ -> entry)) {
      changed.add(UUID.fromString(row.path("conversation_id").asText()));
    }
    return changed;
  }

  /**
   * Grows when something is added to an exchange that the caller may see; null while it has
   * nothing.
   */
  @Nullable
  public Long newest(By by, UUID id, ReadPermission readPermission)
      throws StoreUnavailableException, InterruptedException {
    JsonNode newest =
        by.newest()
            .rows(database, name -> value(name, id, readPermission, MOST))
            .path(0)
            .path("newest");
    return newest.isNumber() ? newest.asLong() : null;
  }
}
