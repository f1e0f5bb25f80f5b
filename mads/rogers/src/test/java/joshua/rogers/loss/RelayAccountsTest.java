package joshua.rogers.loss;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import joshua.conversation.ChannelPattern;
import joshua.rogers.loss.LedgerPage.Received;
import joshua.rogers.presence.KnownRelay;
import joshua.rogers.presence.RelayId;
import joshua.rogers.traffic.ChannelCounts;
import joshua.rogers.traffic.PublishedCounts;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

/** The findings about cuts and ledgers, at their limits and over time, without a bus. */
final class RelayAccountsTest {
  private static final Instant START = Instant.parse("2026-11-18T14:00:00Z");
  private static final RelayId GRACE = new RelayId("grace", "i", "e");

  private final Counter dropped = new SimpleMeterRegistry().counter("dropped");
  private final RelayAccounts relayAccounts = new RelayAccounts(dropped);
  private final ChannelCounts counts = new ChannelCounts();
  private Instant now = START;

  private void publish(String channel, int messages) {
    for (int i = 0; i < messages; i++) {
      counts.add(channel);
    }
  }

  private void cut(RelayId relay, long marker) {
    relayAccounts.cut(new LedgerPage.Marker(relay, marker), now, counts.take());
  }

  private Optional<LedgerFindings> page(
      RelayId relay, long marker, int part, int parts, Map<String, Received> subscriptions) {
    Map<ChannelPattern, Received> patterns = new HashMap<>();
    subscriptions.forEach((text, received) -> patterns.put(new ChannelPattern(text), received));
    LedgerPage.Pairs pairs = new LedgerPage.Pairs(9, 2, 0, 0, 0, 7);
    return relayAccounts.take(
        new LedgerPage(relay, marker, part, parts, patterns, Optional.of(pairs), List.of()), now);
  }

  private LedgerFindings tell(RelayId relay, long marker, Map<String, Received> subscriptions) {
    cut(relay, marker);
    return page(relay, marker, 1, 1, subscriptions).orElseThrow();
  }

  private static Map<String, Received> a(long copies) {
    return Map.of("mad.topic.a", new Received(1, copies));
  }

  @Test
  void whatIsKnownOfRelaysIsToldByName() {
    RelayId first = new RelayId("a-relay", "i", "e");
    tell(GRACE, 1, a(0));
    tell(first, 1, a(0));
    publish("mad.topic.a", 3);
    now = now.plusSeconds(2);
    tell(GRACE, 2, a(2));
    assertThat(relayAccounts.known())
        .containsExactly(
            new KnownRelay(first, START, Optional.of(START), 1, 0),
            new KnownRelay(GRACE, now, Optional.of(now), 1, 1));
  }

  @Test
  void relaysCutIndependentlyOfEachOther() {
    RelayId other = new RelayId("other", "i", "e");
    tell(GRACE, 1, a(0));
    publish("mad.topic.a", 3);
    tell(other, 1, a(0));
    publish("mad.topic.a", 4);
    assertThat(tell(GRACE, 2, a(7)).differences()).isEmpty();
    publish("mad.topic.a", 5);
    LedgerFindings found = tell(other, 2, a(8));

    assertThat(found.differences()).hasSize(1);
    assertThat(found.differences().getFirst().expected()).isEqualTo(9);
  }

  @Test
  void aLedgerInPartsIsComparedWhenItIsWhole() {
    cut(GRACE, 1);
    assertThat(page(GRACE, 1, 2, 2, a(0))).isEmpty();
    assertThat(page(GRACE, 1, 1, 2, Map.of("mad.topic.b", new Received(1, 0)))).isPresent();
    publish("mad.topic.a", 2);
    cut(GRACE, 2);
    // A part that is left over from another ledger makes nothing whole.
    assertThat(page(GRACE, 2, 1, 2, Map.of("mad.topic.b", new Received(1, 0)))).isEmpty();
    cut(GRACE, 3);
    assertThat(page(GRACE, 3, 2, 2, a(2))).isEmpty();
    LedgerFindings whole =
        page(GRACE, 3, 1, 2, Map.of("mad.topic.b", new Received(1, 0))).orElseThrow();

    assertThat(whole.differences()).isEmpty();
    assertThat(whole.messages()).isEqualTo(2);
  }

  @Test
  void aRelayThatFallsSilentIsClosedAndItsReturnSaysSo() {
    tell(GRACE, 1, a(0));
    now = now.plus(RelayAccount.SILENT_AFTER).minusMillis(1);
    assertThat(relayAccounts.expire(now)).isEmpty();
    now = now.plusMillis(1);
    List<LedgerFindings> closed = relayAccounts.expire(now);

    assertThat(closed).hasSize(1);
    LedgerFindings.Uncompared span = closed.getFirst().uncompared().orElseThrow();
    assertThat(span.since()).isEqualTo(START);
    assertThat(span.until()).isEqualTo(now);
    assertThat(span.reason()).contains("fell silent; 7 messages waited");
    assertThat(relayAccounts.expire(now.plusSeconds(60))).isEmpty();
    assertThat(relayAccounts.patterns()).isEmpty();
    assertThat(relayAccounts.known())
        .containsExactly(new KnownRelay(GRACE, START, Optional.empty(), 0, 0));

    now = now.plusSeconds(60);
    publish("mad.topic.a", 5);
    LedgerFindings back = tell(GRACE, 9, a(0));
    assertThat(back.differences()).isEmpty();
    assertThat(back.uncompared().orElseThrow().until()).isEqualTo(now);
  }

  @Test
  void aConnectionThatWasAwayIsNotComparedAndSaysSo() {
    tell(GRACE, 1, a(0));
    publish("mad.topic.a", 5);
    now = now.plus(Duration.ofSeconds(4));
    LedgerFindings found = tell(GRACE, 3, Map.of("mad.topic.a", new Received(3, 0)));

    assertThat(found.differences()).isEmpty();
    assertThat(found.notComparable()).isEqualTo(1);
    assertThat(found.uncompared().orElseThrow().reason()).contains("connection to Redis was away");
  }

  @Test
  @TriesLimit("rogers.channel-counts")
  void moreChannelsThanAreToldApartAreNotCompared() {
    for (int i = 0; i < ChannelCounts.LIMIT; i++) {
      publish("mad.topic.c" + i, 1);
    }
    tell(GRACE, 1, a(0));
    publish("mad.topic.a", 1);
    for (int i = 0; i < ChannelCounts.LIMIT - 1; i++) {
      publish("mad.topic.c" + i, 1);
    }
    assertThat(tell(GRACE, 2, a(0)).differences()).hasSize(1);
    for (int i = 0; i < ChannelCounts.LIMIT + 1; i++) {
      publish("mad.topic.c" + i, 1);
    }
    LedgerFindings beyond = tell(GRACE, 3, a(0));

    assertThat(beyond.compared()).isEqualTo(1);
    assertThat(beyond.notComparable()).isEqualTo(1);
    assertThat(beyond.uncompared()).isPresent();
  }

  @Test
  void beyondAHundredDifferencesAreToldTogether() {
    Map<String, Received> none = new HashMap<>();
    IntStream.rangeClosed(0, LedgerComparison.DIFFERENCE_LIMIT)
        .forEach(i -> none.put("mad.topic.t" + i, new Received(1, 0)));
    tell(GRACE, 1, none);
    IntStream.rangeClosed(0, LedgerComparison.DIFFERENCE_LIMIT)
        .forEach(i -> publish("mad.topic.t" + i, 2));
    List<LedgerFindings.Difference> differences = tell(GRACE, 2, none).differences();

    assertThat(differences).hasSize(LedgerComparison.DIFFERENCE_LIMIT + 1);
    assertThat(differences.getLast().subject()).isEqualTo(LedgerComparison.OTHERS);
    assertThat(differences.stream().mapToLong(LedgerFindings.Difference::expected).sum())
        .isEqualTo(2L * (LedgerComparison.DIFFERENCE_LIMIT + 1));
  }

  @Test
  @TriesLimit("rogers.relays")
  void moreRelaysThanThereIsRoomForAreNotTakenWhileTheOthersTell() {
    for (int i = 0; i < RelayAccounts.LIMIT; i++) {
      tell(new RelayId("relay-" + i, "i", "e"), 1, Map.of("mad.topic.r" + i, new Received(1, 0)));
    }
    cut(GRACE, 1);
    assertThat(page(GRACE, 1, 1, 1, a(0))).isEmpty();
    assertThat(relayAccounts.patterns()).hasSize(RelayAccounts.LIMIT);

    now = now.plus(RelayAccount.SILENT_AFTER).plusMillis(1);
    assertThat(tell(GRACE, 2, a(0)).ledgers()).isEqualTo(1);
  }

  @Test
  @TriesLimit("rogers.slices")
  void slicesAreLetGoBeyondTheirLimitAndThenNotCompared() {
    RelayId chatty = new RelayId("chatty", "i", "e");
    tell(GRACE, 1, a(0));
    for (int i = 1; i < PublishedCounts.LIMIT; i++) {
      cut(chatty, i);
    }
    assertThat(tell(GRACE, 2, a(0)).uncompared()).isEmpty();
    for (int i = 0; i < PublishedCounts.LIMIT; i++) {
      cut(chatty, PublishedCounts.LIMIT + i);
    }
    assertThat(tell(GRACE, 3, a(0)).uncompared()).isPresent();
  }

  private static Map<String, Received> many(int from, int number) {
    return IntStream.range(from, from + number)
        .boxed()
        .collect(Collectors.toMap(i -> "mad.topic.m" + i, i -> new Received(1, 0)));
  }

  @Test
  @TriesLimit("rogers.ledger-subscriptions")
  void aLedgerOfTooManySubscriptionsIsGivenUpAndSaidOnceUntilASmallerOneComes() {
    tell(GRACE, 1, a(0));
    now = now.plusSeconds(2);
    cut(GRACE, 2);
    assertThat(page(GRACE, 2, 1, 3, many(0, LedgerAssembler.SUBSCRIPTIONS))).isEmpty();
    assertThat(dropped.count()).isZero();
    LedgerFindings.Uncompared span =
        page(GRACE, 2, 2, 3, a(0)).orElseThrow().uncompared().orElseThrow();

    assertThat(span)
        .isEqualTo(
            new LedgerFindings.Uncompared(
                START, now, "the ledger names more than 64000 subscriptions"));
    assertThat(dropped.count()).isEqualTo(2);
    assertThat(relayAccounts.patterns()).isEmpty();
    assertThat(page(GRACE, 3, 1, 1, many(0, LedgerAssembler.SUBSCRIPTIONS + 1))).isEmpty();
    assertThat(dropped.count()).isEqualTo(3);
    now = now.plusSeconds(2);
    assertThat(tell(GRACE, 4, a(0)).uncompared())
        .contains(new LedgerFindings.Uncompared(span.until(), now, span.reason()));
  }

  @Test
  void partsWhoseOthersDoNotComeAreGivenUp() {
    cut(GRACE, 1);
    page(GRACE, 1, 1, 2, a(0));
    now = now.plus(LedgerAssembler.WITHIN).minusMillis(1);
    assertThat(relayAccounts.expire(now)).isEmpty();
    assertThat(dropped.count()).isZero();
    now = now.plusMillis(1);
    assertThat(relayAccounts.expire(now)).isEmpty();
    assertThat(dropped.count()).isEqualTo(1);
    assertThat(page(GRACE, 1, 2, 2, a(0))).isEmpty();
  }

  @Test
  void relaysTogetherHoldSoManySubscriptionsAndWhoFallsSilentMakesRoom() {
    for (int i = 0; i < RelayAccounts.SUBSCRIPTIONS / LedgerAssembler.SUBSCRIPTIONS; i++) {
      RelayId relay = new RelayId("grace", "i", "invented-" + i);
      assertThat(page(relay, 1, 1, 2, many(0, LedgerAssembler.SUBSCRIPTIONS))).isEmpty();
    }
    assertThat(dropped.count()).isZero();
    cut(GRACE, 1);
    assertThat(page(GRACE, 1, 1, 1, a(0))).isEmpty();
    assertThat(dropped.count()).isEqualTo(1);
    now = now.plus(LedgerAssembler.WITHIN);
    relayAccounts.expire(now);
    assertThat(tell(GRACE, 2, a(0)).ledgers()).isEqualTo(1);
  }
}
