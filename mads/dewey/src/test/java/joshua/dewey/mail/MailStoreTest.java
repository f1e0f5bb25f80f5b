package joshua.dewey.mail;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.dewey.Dewey;
import joshua.dewey.mail.MailStore.Acknowledgement;
import joshua.kernel.Json;
import joshua.state.Database;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MailStoreTest {
  private static final Instant START = Instant.parse("2026-11-29T10:00:00Z");
  private static final Instant LATER = START.plusSeconds(60);
  private static final String YES = "{\"text\":\"yes\"}";

  @TempDir Path directory;
  private Database database;

  @BeforeEach
  void open() throws Exception {
    database = Database.open(directory.resolve("test.db"), Dewey.MIGRATIONS, () -> START);
    for (int position = 1; position <= 2; position++) {
      send(position);
    }
  }

  @AfterEach
  void close() {
    database.close();
  }

  private static UUID id(int position) {
    return new UUID(7, position);
  }

  private void send(int position) {
    Envelope envelope =
        new Envelope(
            id(position),
            UUID.randomUUID(),
            UUID.randomUUID(),
            START,
            "ann",
            Optional.of("bob"),
            Channel.direct("bob"),
            Json.object(),
            Map.of());
    database.write(tx -> {
      MailStore.add(tx, "bob", position, envelope, null);
      return tx.update(
          "insert into message values (?, ?, 'DIRECT', 'ann', '', ?, '', '', '{}')",
          position,
          START,
          id(position));
    });
  }

  private List<KeptMessage> mail(boolean unreadOnly) {
    return database.read(tx -> MailStore.page(tx, "bob", unreadOnly, 0, 9));
  }

  private Optional<Acknowledgement> acknowledge(String name, Instant at, String response) {
    return database.write(tx -> MailStore.acknowledge(tx, name, id(1), at, response));
  }

  @Test
  void theFirstAcknowledgementStaysAndCollects() {
    assertThat(acknowledge("cid", START, null)).isEmpty();
    assertThat(acknowledge("bob", START, YES))
        .hasValue(new Acknowledgement("ann", START, YES, true));
    assertThat(acknowledge("bob", LATER, null))
        .hasValue(new Acknowledgement("ann", START, YES, false));
    assertThat(mail(true)).extracting(KeptMessage::position).containsExactly(2L);
    assertThat(mail(false))
        .first()
        .isEqualTo(
            new KeptMessage(1, START, id(1).toString(), "{}", "collected", false, START, YES));
  }

  @Test
  void whatWasBeforeTheLastThatSomebodyHadCountsAsGiven() {
    send(3);
    database.write(tx -> {
      MailStore.collectGiven(tx, "bob", id(2), LATER, "grace");
      return true;
    });
    assertThat(mail(false))
        .extracting(KeptMessage::state)
        .containsExactly("given", "collected", "waiting");
  }

  @Test
  void whatNobodyIsToldIsTakenBack() {
    database.write(tx -> MailStore.collect(tx, "bob", List.of(1L), START));
    acknowledge("bob", LATER, YES);
    database.write(tx -> MailStore.withdraw(tx, "bob", id(1)));
    assertThat(acknowledge("bob", LATER, null))
        .hasValue(new Acknowledgement("ann", LATER, null, true));
    List<Instant> collected =
        database.read(
            tx -> tx.rows(Instant.class, "select collected_at from mail where position = 1"));
    assertThat(collected).as("when it was taken").containsExactly(START);
  }
}
