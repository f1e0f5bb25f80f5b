package joshua.grace.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import joshua.conversation.BusIdentity;
import joshua.grace.queue.Polls.Outcome;
import joshua.grace.queue.Polls.Outcome.Answer;
import joshua.grace.queue.Polls.Page;
import joshua.grace.queue.Polls.Poll;
import joshua.network.AddressDefaults;
import joshua.network.Connection;
import joshua.testing.ManualTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of a page: the table in {@link QueueReader}, and what is cut or comes again. */
class QueueReaderTest {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
  private static final String X = "mad.topic.x";
  private static final int SMALL = 8 * 1024;
  private static final int LARGE = 2 * SMALL;
  private static final int BYTES = 1 << 20;

  private final ManualTime time = new ManualTime(NOON);
  private final ClientQueues queues =
      new ClientQueues("a1", new ClientQueues.Limits(3, 9, BYTES), time, time::nanoTime);
  private final Polls polls = new Polls(queues, _ -> {});
  private final ClientPresence presence =
      new ClientPresence(queues, new BusIdentity("grace", "i", "1", NOON), _ -> {});

  /** A connection that can be reset. */
  private static final class Peer {
    private final List<Runnable> watchers = new ArrayList<>();
    private final Connection connection =
        new Connection(
            "peer",
            () -> false,
            action -> {
              watchers.add(action);
              return () -> watchers.remove(action);
            },
            AddressDefaults.NONE);

    void reset() {
      List.copyOf(watchers).forEach(Runnable::run);
    }
  }

  private final Peer peer = new Peer();
  private final Peer other = new Peer();

  private Cursor subscribe(String client) {
    String cursor = TestMessages.subscribe(queues, client, other.connection, X).cursor();
    return Cursor.parse(client, cursor).orElseThrow();
  }

  private void deliver(String... texts) {
    for (String text : texts) {
      TestMessages.deliver(queues, X, text, time.instant());
    }
  }

  /** A message that is too large for a small page. */
  private void deliverLarge(String text) {
    deliver(text.repeat(LARGE));
  }

  private Poll request(Peer by, @Nullable Cursor cursor, int bytes) {
    return new Poll(
        "ann", Optional.ofNullable(cursor), Duration.ZERO, 100, bytes, bytes, by.connection);
  }

  private Optional<Outcome> begin(Peer by, @Nullable Cursor cursor, int bytes) {
    return polls.begin(request(by, cursor, bytes)).atOnce();
  }

  private Answer answer(Peer by, @Nullable Cursor cursor, int bytes) {
    return (Answer) begin(by, cursor, bytes).orElseThrow();
  }

  /** A poll whose answer is written. */
  private Page poll(Peer by, @Nullable Cursor cursor, int bytes) {
    Answer answer = answer(by, cursor, bytes);
    answer.written().accept(true);
    return answer.page();
  }

  /** The messages' texts, of those that are large their first character, of a cut one "x…". */
  private static List<String> texts(Page page) {
    Stream<String> cut = Stream.ofNullable(page.cut()).map(message -> text(message) + "…");
    return Stream.concat(page.messages().stream().map(QueueReaderTest::text), cut).toList();
  }

  private static String text(QueuedMessage message) {
    String text = new String(message.body(), UTF_8);
    return text.length() < SMALL ? text : text.substring(0, 1);
  }

  private String state() {
    if (Objects.requireNonNull(queues.byClient.get("ann")).reader.isWriting()) {
      return "Writing";
    }
    return peer.watchers.isEmpty() ? "Idle" : "Written";
  }

  /** States by events: the state that follows, and what a poll gets then; ! for redelivered. */
  @ParameterizedTest
  @CsvSource({
    "Idle,    poll begins,         Idle,    ''",
    "Idle,    page taken,          Writing, 2",
    "Idle,    answer written,      Idle,    ''",
    "Idle,    write failed,        Idle,    ''",
    "Idle,    reset found,         Idle,    ''",
    "Idle,    cursor acknowledges, Idle,    ''",
    "Idle,    message added,       Idle,    2",
    "Idle,    a minute passed,     Idle,    ''",
    "Idle,    too many bytes wait, Idle,    ''",
    "Idle,    queue ended,         none,    none",
    "Writing, poll begins,         Writing, 1",
    "Writing, page taken,          Writing, 1 2",
    "Writing, answer written,      Written, ''",
    "Writing, write failed,        Idle,    1",
    "Writing, reset found,         Writing, 1",
    "Writing, cursor acknowledges, Writing, ''",
    "Writing, message added,       Writing, 1 2",
    "Writing, a minute passed,     Writing, 1",
    "Writing, too many bytes wait, Writing, ''",
    "Writing, queue ended,         none,    none",
    "Written, poll begins,         Idle,    ''",
    "Written, poll by another,     Written, ''",
    "Written, page taken,          Writing, 2",
    "Written, answer written,      Written, ''",
    "Written, write failed,        Written, ''",
    "Written, reset found,         Idle,    1!",
    "Written, cursor acknowledges, Idle,    ''",
    "Written, message added,       Written, 2",
    "Written, a minute passed,     Idle,    ''",
    "Written, too many bytes wait, Written, ''",
    "Written, queue ended,         none,    none"
  })
  void eachEventInEachState(String from, String event, String to, String then) {
    subscribe("ann");
    deliver("1");
    Answer one = answer(peer, null, SMALL);
    if (!from.equals("Writing")) {
      one.written().accept(true);
    }
    if (from.equals("Idle")) {
      poll(peer, null, SMALL);
    }
    assertThat(state()).isEqualTo(from);
    happens(event, one);

    if (queues.byClient.get("ann") == null) {
      assertThat(to).isEqualTo("none");
      assertThat(peer.watchers).isEmpty();
      assertThat(begin(other, null, SMALL).orElseThrow()).isInstanceOf(Outcome.NotSubscribed.class);
      return;
    }
    assertThat(state()).isEqualTo(to);
    failed.written().accept(false);
    if (state().equals("Writing")) {
      one.written().accept(false);
    }
    Page next = poll(other, null, SMALL);
    assertThat(String.join(" ", texts(next)) + (next.again() ? "!" : "")).isEqualTo(then);
  }

  private Answer failed = new Answer(null, false, false, _ -> {});

  private void happens(String event, Answer one) {
    switch (event) {
      case "poll begins" -> polls.begin(request(peer, null, SMALL));
      case "poll by another" -> polls.begin(request(other, null, SMALL));
      case "page taken" -> {
        deliver("2");
        begin(other, null, SMALL).ifPresent(answer -> failed = (Answer) answer);
      }
      case "answer written" -> one.written().accept(true);
      case "write failed" -> one.written().accept(false);
      case "reset found" -> peer.reset();
      case "cursor acknowledges" -> polls.begin(request(other, one.page().to(), SMALL));
      case "message added" -> deliver("2");
      case "a minute passed" -> {
        time.advance(Duration.ofSeconds(61));
        presence.tick();
      }
      case "too many bytes wait" -> sendTooMuch();
      default -> queues.drop("ann");
    }
  }

  private void sendTooMuch() {
    TestMessages.subscribe(queues, "bob", other.connection, "mad.topic.y");
    TestMessages.deliver(queues, "mad.topic.y", "y".repeat(BYTES), NOON);
  }

  @Test
  void whatWasGivenUpIsAGapIfItWasUnread() {
    subscribe("ann");
    deliver("1", "2");
    poll(peer, null, SMALL);
    sendTooMuch();
    deliver("3");
    assertThat(poll(other, Cursor.parse("ann", subscribe("ann").toString()).orElseThrow(), SMALL))
        .satisfies(page -> {
          assertThat(texts(page)).containsExactly("3");
          assertThat(page.gap()).isEmpty();
        });
    peer.reset();
    Page page = poll(other, null, SMALL);
    assertThat(texts(page)).containsExactly("3");
    assertThat(page.again()).isFalse();
    assertThat(page.gap()).contains(new Loss(2L, Loss.Reason.OVERFLOW, NOON));
    assertThat(queues.losses().take().losers())
        .containsExactly(new LossReport.Loser("ann", 2L, Loss.Reason.OVERFLOW));
    assertThat(poll(other, null, SMALL).gap()).isEmpty();
  }

  @Test
  void whatComesAgainKeepsToTheBoundsOfThePollThatGetsIt() {
    subscribe("ann");
    deliver("1", "2");
    deliverLarge("m");
    poll(peer, null, 2 * LARGE);
    deliver("4");
    peer.reset();
    Page page = poll(peer, null, SMALL);
    assertThat(texts(page)).containsExactly("1", "2", "m…");
    assertThat(page.again()).isTrue();
    assertThat(page.remaining()).isEqualTo(1);
    Page whole = poll(other, null, 2 * LARGE);
    assertThat(texts(whole)).containsExactly("m");
    assertThat(whole.again()).isTrue();
    assertThat(texts(poll(other, null, SMALL))).containsExactly("4");
  }

  @Test
  void aGapAndACutThatWereNotReadAreToldAgain() {
    subscribe("ann");
    queues.broken(NOON.minusSeconds(9));
    deliver("1");
    deliverLarge("m");
    Page first = poll(peer, null, SMALL);
    assertThat(texts(first)).containsExactly("1", "m…");
    assertThat(first.gap()).isPresent();
    peer.reset();
    Page again = poll(peer, null, SMALL);
    assertThat(again.gap()).isEqualTo(first.gap());
    assertThat(texts(again)).containsExactly("1");
    assertThat(texts(poll(other, null, SMALL))).containsExactly("m…");
  }

  @Test
  void subscribingAgainDoesNotAcknowledgeWhatMayBeUnread() {
    subscribe("ann");
    deliver("1");
    poll(peer, null, SMALL);
    Cursor before = subscribe("ann");
    assertThat(texts(poll(other, before, SMALL))).isEmpty();
    peer.reset();
    assertThat(texts(poll(other, before, SMALL))).containsExactly("1");
  }

  @Test
  void withoutACursorWhatIsCutIsGivenWholeNextOrPassed() {
    subscribe("ann");
    deliver("1");
    deliverLarge("m");
    deliver("3");
    Page cut = poll(peer, null, SMALL);
    assertThat(texts(cut)).containsExactly("1", "m…");
    assertThat(cut.remaining()).isEqualTo(1);
    Answer lost = answer(peer, null, SMALL);
    assertThat(texts(lost.page())).containsExactly("3");
    lost.written().accept(false);
    assertThat(texts(poll(peer, null, LARGE))).containsExactly("m");
    deliverLarge("n");
    assertThat(texts(poll(peer, null, SMALL))).containsExactly("3", "n…");
    assertThat(poll(peer, null, SMALL).messages()).as("n is passed").isEmpty();
    assertThat(poll(peer, null, LARGE).messages()).isEmpty();
    assertThat(queues.waitingMessages()).isZero();
  }

  @Test
  void withACursorWhatIsCutStaysUntilALaterCursorPassesIt() {
    Cursor none = subscribe("ann");
    deliverLarge("m");
    deliver("2");
    Cursor cut = poll(peer, none, SMALL).to();
    assertThat(Cursor.parse("ann", cut.toString())).contains(cut);
    assertThat(texts(poll(peer, none, SMALL))).as("a lost answer").containsExactly("m…");
    assertThat(texts(poll(peer, none, 2 * LARGE))).containsExactly("m", "2");
    assertThat(texts(poll(peer, cut, 2 * LARGE))).containsExactly("m", "2");
    Page passed = poll(peer, cut, SMALL);
    assertThat(texts(passed)).containsExactly("2");
    assertThat(passed.gap()).isEmpty();
    assertThat(texts(poll(peer, passed.to(), 2 * LARGE))).isEmpty();
  }

  @Test
  void beyondTheBytesTheOldestGoesThoughItWasPutBack() {
    ClientQueues.Limits four = new ClientQueues.Limits(9, 9, 4);
    ClientQueues few = new ClientQueues("b2", four, time, time::nanoTime);
    Polls there = new Polls(few, _ -> {});
    for (String client : List.of("ann", "bob")) {
      TestMessages.subscribe(few, client, other.connection, X);
    }
    for (String text : List.of("1", "2", "3")) {
      boolean isForBoth = text.equals("2");
      TestMessages.deliver(few, X, text, "bob", NOON, client -> isForBoth || client.equals("ann"));
    }
    Poll request = request(peer, null, SMALL);
    ((Answer) there.begin(request).atOnce().orElseThrow()).written().accept(true);
    peer.reset();
    for (String text : List.of("4", "5", "6")) {
      TestMessages.deliver(few, X, text, NOON);
    }
    Page page = ((Answer) there.begin(request).atOnce().orElseThrow()).page();
    assertThat(texts(page)).containsExactly("3");
    assertThat(few.waitingBytes()).isLessThanOrEqualTo(4);
    assertThat(page.gap().map(Loss::missed).orElse(0L) + few.byClient.get("ann").messages.size())
        .isEqualTo(6);
  }
}
