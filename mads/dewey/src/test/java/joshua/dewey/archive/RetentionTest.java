package joshua.dewey.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.dewey.DeweyFixture;
import joshua.dewey.mail.ExpiredMail;
import joshua.dewey.mail.MailStore;
import joshua.kernel.Json;
import joshua.state.Transaction;
import joshua.state.WatchedTime;
import org.junit.jupiter.api.Test;

class RetentionTest extends DeweyFixture {
  private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");
  private static final Duration AT_ONCE = Duration.ZERO;
  private static final long MIB = 1024 * 1024;

  private final List<OutgoingMessage> told = new ArrayList<>();

  private Retention retention(int days, long bytes, Duration spared) {
    return new Retention(database, new Retention.Limits(days, bytes, spared), told::add);
  }

  /** Adds messages at consecutive positions, a second apart. */
  private void add(long first, int number, Channel channel, String body) {
    write(tx -> {
      for (long position = first; position < first + number; position++) {
        Envelope envelope = envelope(UUID.randomUUID(), "ann", channel, Json.object());
        ArchiveStore.add(tx, position, START.plusSeconds(position), envelope, body);
        ArchiveStore.setLastPosition(tx, position);
        channel.recipient().ifPresent(name -> addMail(tx, name, envelope));
      }
    });
  }

  private static void addMail(Transaction tx, String recipient, Envelope envelope) {
    MailStore.add(tx, recipient, ArchiveStore.lastPosition(tx), envelope, null);
  }

  private List<Long> positions(String table) {
    return database.read(
        tx -> tx.rows(Long.class, "select position from %s order by position".formatted(table)));
  }

  private Instant since() {
    return database.read(WatchedTime::since);
  }

  private void run(int hours, Retention retention) {
    write(tx -> {
      for (int i = 0; i < hours; i++) {
        tx.update("update archive set ran_minutes = ran_minutes + 59");
        retention.addMinute(tx);
      }
    });
  }

  private static void minute(Retention retention) {
    for (int i = 0; i < 60; i++) {
      retention.tick();
    }
  }

  @Test
  void theOldestGoBeyondTheSize() {
    add(1, 3_000, new Channel("mad.topic.news"), "x".repeat(1_000));
    Retention retention = retention(7, 2 * MIB, AT_ONCE);
    retention.tick();
    List<Long> left = positions("message");
    assertThat(left).hasSizeBetween(500, 2_000).last().isEqualTo(3_000L);
    assertThat(left.getLast() - left.getFirst()).isEqualTo(left.size() - 1);
    assertThat(since())
        .as("the time from which on all is kept")
        .isAfter(START.plusSeconds(left.getFirst() - 1))
        .isBefore(START.plusSeconds(left.getFirst()));
    retention.tick();
    assertThat(positions("message")).isEqualTo(left);
  }

  @Test
  void aRoundHasAnEnd() {
    add(1, 6_000, new Channel("mad.topic.news"), "x");
    retention(7, 1, AT_ONCE).tick();
    assertThat(positions("message")).hasSize(1_000);
  }

  @Test
  void onlyTheTimeInWhichDeweyRanMakesOld() {
    Retention retention = retention(1, MIB * MIB, AT_ONCE);
    add(1, 2, Channel.BROADCAST, "old");
    run(20, retention);
    add(3, 2, Channel.BROADCAST, "younger");
    run(5, retention);
    minute(retention);
    assertThat(positions("message")).containsExactly(3L, 4L);
    assertThat(since()).isEqualTo(START.plusSeconds(2).plusMillis(1));
    run(30 * 24, retention);
    minute(retention);
    assertThat(positions("message")).isEmpty();
    assertThat(number("select last_position from archive")).isEqualTo(4);
    assertThat(number("select count(*) from ran_hour")).isEqualTo(721);
  }

  @Test
  void mailThatWaitsIsKeptLongerAndItsEndIsTold() {
    Retention retention = retention(1, MIB * MIB, AT_ONCE);
    add(1, 3, Channel.direct("bob"), "{}");
    add(4, 1, Channel.BROADCAST, "{}");
    write(tx -> MailStore.collect(tx, "bob", List.of(2L), NOW));
    run(3 * 24, retention);
    minute(retention);
    assertThat(positions("message")).containsExactly(1L, 3L);
    assertThat(positions("mail")).containsExactly(1L, 3L);
    assertThat(told).isEmpty();

    run(30 * 24, retention);
    minute(retention);
    minute(retention);
    assertThat(positions("message")).isEmpty();
    assertThat(positions("mail")).isEmpty();
    assertThat(told)
        .singleElement()
        .satisfies(notice -> {
          assertThat(notice.channel()).isEqualTo(Channel.direct("ann"));
          assertThat(notice.payload().path("notification_type").asText()).isEqualTo("mail_expired");
          assertThat(notice.payload().path("recipient").asText()).isEqualTo("bob");
          assertThat(notice.payload().path("messages").asInt()).isEqualTo(2);
        });
    assertThat(expired()).isEqualTo(2);
    write(tx -> ExpiredMail.forget(tx, "bob", 1));
    assertThat(expired()).as("the answer was before the second").isEqualTo(2);
    write(tx -> ExpiredMail.forget(tx, "bob", 2));
    assertThat(expired()).isZero();
  }

  private long expired() {
    return database.read(tx -> ExpiredMail.count(tx, "bob"));
  }

  @Test
  void aMailboxHasTenThousandMessages() {
    add(1, 10_002, Channel.direct("bob"), "{}");
    add(10_003, 3, Channel.direct("cid"), "{}");
    minute(retention(7, MIB * MIB, AT_ONCE));
    assertThat(positions("mail")).hasSize(10_003).first().isEqualTo(3L);
    assertThat(positions("message")).as("the archive has them still").hasSize(10_005);
    assertThat(expired()).isEqualTo(2);
  }

  @Test
  void noMailExpiresAfterAStart() {
    add(1, 10, Channel.direct("bob"), "x".repeat(10_000));
    add(11, 200, Channel.BROADCAST, "x".repeat(10_000));
    add(211, 10_001, Channel.direct("cid"), "x");
    write(tx -> tx.update("update archive set ran_minutes = 100000"));
    long used = database.read(Retention::used);
    Retention retention = retention(1, used - 100_000, Duration.ofHours(1));
    minute(retention);
    assertThat(positions("mail")).hasSize(10_011);
    assertThat(positions("message")).hasSizeBetween(10_011 + 150, 10_011 + 195);
    retention(1, used / 3, Duration.ofHours(1)).tick();
    assertThat(positions("mail")).as("of an archive of thrice its size").doesNotContain(1L);
  }
}
