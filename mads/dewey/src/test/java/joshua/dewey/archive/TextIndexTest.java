package joshua.dewey.archive;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.dewey.DeweyFixture;
import joshua.dewey.archive.ArchiveStore.Bounds;
import joshua.dewey.mail.KeptMessage;
import joshua.kernel.Json;
import joshua.state.WatchedTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextIndexTest extends DeweyFixture {
  private static final Visibility ALL = new Visibility(true, "");
  private static final Selection ANYWHERE = in(null, null, 0, Long.MAX_VALUE);

  private record Selection(String channel, String participant, Bounds bounds) {}

  private final AtomicLong stored = new AtomicLong();
  private TextIndex index;

  private static Selection in(String channel, String participant, long from, long before) {
    return new Selection(channel, participant, new Bounds(from, before, 2_000));
  }

  @BeforeEach
  void makeIndex() {
    index = new TextIndex(database, stored::get);
  }

  private void say(String sender, Channel channel, ObjectNode payload) {
    Envelope envelope = envelope(UUID.randomUUID(), sender, channel, payload);
    String body = new String(EnvelopeCodec.encode(envelope), StandardCharsets.UTF_8);
    long position = stored.incrementAndGet();
    write(tx -> {
      ArchiveStore.add(tx, position, START.plusSeconds(position), envelope, body);
      ArchiveStore.setLastPosition(tx, position);
    });
  }

  private void say(String text) {
    say("ann", Channel.BROADCAST, Json.object().put("text", text));
  }

  private List<Long> find(String query, Selection in) {
    List<String> terms = TextIndex.terms(query);
    return database
        .read(tx -> TextIndex.find(tx, terms, in.participant, in.channel, in.bounds, ALL))
        .stream()
        .map(KeptMessage::position)
        .toList();
  }

  private List<Long> find(String query) {
    return find(query, ANYWHERE);
  }

  @Test
  void messagesAreFoundByTheirWords() {
    say("Schema v2 is in: naïve, 中文 😀");
    say("v2 of the schema");
    ObjectNode nested = Json.object();
    nested.putObject("key").putArray("list").add(1).add("the schema deep inside");
    say("bob", new Channel("mad.topic.build"), nested);
    assertThat(find("schema")).as("not yet").isEmpty();
    index.addSome();
    assertThat(find("schema")).containsExactly(3L, 2L, 1L);
    assertThat(find("\"schema V2\"")).containsExactly(1L);
    assertThat(find("v2 SCHEMA")).containsExactly(2L, 1L);
    assertThat(find("naive 中文")).containsExactly(1L);
    assertThat(find("key")).as("a member's name").isEmpty();
    assertThat(find("build bob")).as("channel and sender").containsExactly(3L);
    assertThat(find("schema", in(null, "bob", 0, 9))).containsExactly(3L);
    assertThat(find("schema", in("mad.broadcast", null, 2, 9))).containsExactly(2L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "word*", "word AND", "OR word", "\"word", "word\"\"",
        "text:word", "-word", "^word", "NEAR(word)", "(word",
        "word 😀 ?", "{word} + *", "word\0", "' word;--"
      })
  void aQueryHasNoSyntaxButQuotes(String query) {
    say("text word and or near word");
    index.addSome();
    assertThat(find(query)).containsExactly(1L);
  }

  @Test
  void aQueryWithoutAWordHasNoTerms() {
    assertThat(TextIndex.terms("* \"\" \" 😀 \0")).isEmpty();
    assertThat(TextIndex.terms("a \"b  c\"d")).containsExactly("a", "b  c", "d");
  }

  @Test
  void whatIsDeletedIsNotFoundAndLeavesNothing() {
    for (int i = 0; i < 1_500; i++) {
      say("word" + i % 50 + " common");
    }
    while (indexed() < 1_500) {
      index.addSome();
    }
    say("not yet indexed");
    long before = database.read(Retention::used);
    Retention.Limits limits = new Retention.Limits(7, before / 2, Duration.ZERO);
    new Retention(database, limits, notice -> true).tick();
    long left = messages();
    assertThat(left).isBetween(100L, 1_400L);
    List<Long> common = find("common");
    assertThat(common).hasSize((int) left - 1);
    assertThat(number("select count(*) from message_text_docsize")).isEqualTo(left - 1);
    assertThat(find("word0")).isNotEmpty().allMatch(position -> position > 1_501 - left);
    Optional<String> check = database.read(tx -> tx.row(String.class, "pragma integrity_check"));
    assertThat(check).hasValue("ok");
    new Retention(database, new Retention.Limits(7, 1, Duration.ZERO), notice -> true).tick();
    assertThat(messages()).isZero();
    index.addSome();
    assertThat(find("indexed")).isEmpty();
  }

  private long indexed() {
    return number("select indexed_until from archive");
  }

  private long messages() {
    return number("select count(*) from message");
  }

  @Test
  void theIndexWaitsWhileManyAreStoredAndSaysSo() {
    say("word");
    index.addSome();
    say("word");
    assertThat(database.read(TextIndex::indexedUntil)).isEqualTo(START.plusSeconds(2));
    stored.set(1_000);
    index.addSome();
    assertThat(find("word")).containsExactly(1L);
    for (int i = 0; i < 10; i++) {
      index.addSome();
    }
    assertThat(find("word")).containsExactly(2L, 1L);
    assertThat(database.read(TextIndex::indexedUntil)).isEqualTo(START.plusSeconds(2));
    Instant until = START.plusSeconds(60);
    write(tx -> WatchedTime.watchedUntil(tx, until));
    assertThat(database.read(TextIndex::indexedUntil)).isEqualTo(until);
  }
}
