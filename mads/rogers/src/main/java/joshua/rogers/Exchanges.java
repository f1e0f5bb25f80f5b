package joshua.rogers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.Json;
import joshua.state.Database;
import joshua.state.StoreUnavailable;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges that the journal has, each in the order of the bus. An exchange is complete if the
 * journal left nothing out between its first and its last message here, Rogers watched all the
 * time, and nothing of it is hidden from the caller.
 */
final class Exchanges {
  /** More messages than these aren't given at once. */
  static final int MOST = 1_000;

  /** What ties messages together. */
  enum By {
    CONVERSATION("conversation_id"),
    CORRELATION("correlation_id");

    private final String column;

    By(String column) {
      this.column = column;
    }

    String member() {
      return column;
    }

    private NamedSql messages() {
      return NamedSql.of(
          """
          select at, message_id, conversation_id, correlation_id, sender_id, recipient_id, channel,
                 payload, payload_bytes, cut,
                 count(*) over () as several
          from journal
          where %s = :id
          order by entry_id limit :limit
          """
              .formatted(column));
    }

    private NamedSql newest() {
      return NamedSql.of(
          "select max(entry_id) as newest from journal where %s = :id".formatted(column));
    }
  }

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

  Exchanges(Database database, JournalConfig config) {
    this.database = database;
    this.on = config.on();
  }

  /** What has been said, as far as the caller may see it. */
  ObjectNode read(By by, UUID id, Sight sight) throws StoreUnavailable, InterruptedException {
    return database.read(connection -> read(connection, by, id, sight));
  }

  private ObjectNode read(Connection connection, By by, UUID id, Sight sight) throws SQLException {
    ArrayNode all =
        by.messages().rows(connection, name -> name.equals("limit") ? MOST : id.toString());
    ObjectNode answer = Json.object().put("status", "success");
    ArrayNode messages = answer.putArray("messages");
    answer.put("complete", false);
    ArrayNode why = Json.shared().createArrayNode();
    for (JsonNode message : all) {
      if (sees(sight, message)) {
        messages.add(shown((ObjectNode) message));
      }
    }
    if (messages.size() < all.size()) {
      why.add("Messages between others are shown to operators and admins only.");
    }
    if (all.isEmpty()) {
      why.add("The journal has nothing of it.");
    } else {
      if (all.path(0).path("several").asInt() > all.size()) {
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

  private static boolean sees(Sight sight, JsonNode message) {
    return sight.sees(message.path("sender_id").asText())
        || sight.sees(message.path("recipient_id").asText())
        || sight.seesChannel(message.path("channel").asText());
  }

  /**
   * With its payload as JSON; of one that was cut, the beginning as text. All of it stands as text
   * where a number that was just short enough came to be too long in the journal, which writes it
   * with a point and a longer exponent.
   */
  private static ObjectNode shown(ObjectNode row) {
    String payload = row.remove("payload").asText();
    boolean cut = row.path("cut").asInt() != 0;
    row.put("cut", cut);
    row.remove("several");
    Optional<JsonNode> json = cut ? Optional.empty() : parsed(payload);
    if (json.isPresent()) {
      row.set("payload", json.get());
    } else {
      row.putNull("payload").put("payload_head", payload);
    }
    return row;
  }

  private static Optional<JsonNode> parsed(String payload) {
    try {
      return Optional.of(Json.parse(payload));
    } catch (Json.Malformed e) {
      return Optional.empty();
    }
  }

  /** Grows when something is added to an exchange; null while there is nothing. */
  @Nullable Long newest(By by, UUID id) throws StoreUnavailable, InterruptedException {
    JsonNode newest = by.newest().rows(database, _ -> id.toString()).path(0).path("newest");
    return newest.isNumber() ? newest.asLong() : null;
  }
}
