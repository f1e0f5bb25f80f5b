package joshua.dewey.mail;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.dewey.DeweyFixture;
import joshua.dewey.mail.MailStore.Acknowledgement;
import joshua.kernel.Json;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MailStoreTest extends DeweyFixture {
  private static final Instant LATER = START.plusSeconds(60);

  @BeforeEach
  void sendTwo() {
    send(1);
    send(2);
  }

  private static UUID id(int position) {
    return new UUID(7, position);
  }

  private void send(int position) {
    Envelope envelope = envelope(id(position), "ann", Channel.direct("bob"), Json.object());
    write(tx -> {
      MailStore.add(tx, "bob", position, envelope, null);
      String insert = "insert into message values (?, ?, 'DIRECT', 'ann', '', ?, '', '', '{}')";
      tx.update(insert, position, START, id(position));
    });
  }

  private Optional<Acknowledgement> acknowledge(String response) {
    return database.write(tx -> MailStore.acknowledge(tx, "bob", id(1), LATER, response));
  }

  @Test
  void whatWasBeforeTheLastThatSomebodyHadCountsAsGiven() {
    send(3);
    write(tx -> MailStore.collectGiven(tx, "bob", id(2), null, LATER, "grace"));
    List<KeptMessage> mail = database.read(tx -> MailStore.page(tx, "bob", false, 0, 9));
    assertThat(mail)
        .extracting(KeptMessage::state)
        .containsExactly("given", "collected", "waiting");
  }

  @Test
  void whatNobodyIsToldIsTakenBack() {
    write(tx -> MailStore.collect(tx, "bob", List.of(1L), START));
    acknowledge("{}");
    write(tx -> MailStore.withdraw(tx, "bob", id(1)));
    assertThat(acknowledge(null)).hasValue(new Acknowledgement("ann", LATER, null, true));
    assertThat(number("select collected_at from mail where position = 1"))
        .as("when it was taken")
        .isEqualTo(START.toEpochMilli());
  }
}
