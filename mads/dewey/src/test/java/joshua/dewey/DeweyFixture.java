package joshua.dewey;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.state.Database;
import joshua.state.Transaction;
import joshua.state.WatchedTime;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A database of Dewey's, which keeps what is said from {@link #START} on. */
public abstract class DeweyFixture {
  protected static final Instant START = Instant.parse("2026-11-29T10:00:00Z");

  @TempDir Path directory;
  @AutoClose protected Database database;

  @BeforeEach
  void openDatabase() throws Exception {
    database = Database.open(directory.resolve("test.db"), Dewey.MIGRATIONS, () -> START);
    write(tx -> WatchedTime.start(tx, START, "-"));
  }

  protected void write(Consumer<Transaction> writing) {
    database.write(tx -> {
      writing.accept(tx);
      return true;
    });
  }

  protected long number(String sql) {
    return database.read(tx -> tx.number(sql));
  }

  protected static Envelope envelope(UUID id, String sender, Channel channel, ObjectNode payload) {
    return new Envelope(
        id, UUID.randomUUID(), id, START, sender, channel.recipient(), channel, payload, Map.of());
  }
}
