package joshua.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A channel's subscriptions are the same as if each was matched by itself. */
class SubscriptionIndexTest {
  private static final List<String> PARTS =
      List.of("a", "b", "ab", "ba", ".", "*", "?", "[ab]", "[^a]", "\\*", "\\a", "-", "[a");

  private final SubscriptionIndex index = new SubscriptionIndex();
  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  private static ChannelPattern pattern(String text) {
    return new ChannelPattern(text);
  }

  @Test
  void everyChannelGoesWhereMatchingOneAfterTheOtherSendsIt() {
    List<ChannelPattern> followed = new ArrayList<>();
    List<MessageReceiver> receivers = new ArrayList<>();
    for (int step = 0; step < 4_000; step++) {
      if (followed.size() < 60 || random.nextBoolean()) {
        ChannelPattern.parse("mad." + text(5))
            .ifPresent(pattern -> {
              RecordingHandler receiver = new RecordingHandler();
              followed.add(pattern);
              receivers.add(receiver);
              index.follow(receiver, pattern);
              if (random.nextBoolean()) {
                index.confirm(pattern);
              }
            });
      } else {
        int gone = random.nextInt(followed.size());
        index.unfollow(receivers.remove(gone), followed.remove(gone));
      }
      String channel = "mad." + text(5).replaceAll("[*?\\[\\]^\\\\]", "");
      Set<MessageReceiver> expected =
          IntStream.range(0, followed.size())
              .filter(i -> followed.get(i).matches(channel))
              .mapToObj(receivers::get)
              .collect(Collectors.toCollection(LinkedHashSet::new));
      assertThat(index.route(channel).receivers())
          .as("seed %d, channel %s", seed, channel)
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  private String text(int most) {
    return random
        .ints(1 + random.nextInt(most), 0, PARTS.size())
        .mapToObj(PARTS::get)
        .collect(Collectors.joining());
  }

  @Test
  void theCopyOfTheNameIsTakenElseThatOfTheFirstGlobOfThoseConfirmed() {
    RecordingHandler receiver = new RecordingHandler();
    for (String text : List.of("mad.topic.x", "mad.*", "mad.topic.*")) {
      index.follow(receiver, pattern(text));
    }
    assertThat(index.route("mad.topic.x").chosen()).isEmpty();
    index.confirm(pattern("mad.topic.*"));
    assertThat(index.route("mad.topic.x").chosen()).contains(pattern("mad.topic.*"));
    index.confirm(pattern("mad.*"));
    assertThat(index.route("mad.topic.x").chosen()).contains(pattern("mad.*"));
    index.confirm(pattern("mad.topic.x"));
    assertThat(index.route("mad.topic.x").chosen()).contains(pattern("mad.topic.x"));
    // After the unfollow it counts until Redis has confirmed that.
    index.unfollow(receiver, pattern("mad.topic.x"));
    assertThat(index.route("mad.topic.x").chosen()).contains(pattern("mad.topic.x"));
    index.end(pattern("mad.topic.x"));
    assertThat(index.route("mad.topic.x").chosen()).contains(pattern("mad.*"));
    assertThat(index.route("mad.topic.x").receivers()).containsExactly(receiver);
    index.endAll();
    assertThat(index.route("mad.topic.x").chosen()).isEmpty();
  }

  /** Takes a glob's channels by their prefix, and a name in any case. */
  private static final class Choosy implements MessageReceiver {
    private String beginning;

    Choosy(String beginning) {
      this.beginning = beginning;
    }

    @Override
    public void deliver(ReceivedMessage receivedMessage) {
      throw new AssertionError("nothing is delivered here");
    }

    @Override
    public void missed(Gap gap) {
      throw new AssertionError("nothing is lost here");
    }

    @Override
    public boolean takes(ChannelPattern glob, String channel) {
      return channel.startsWith(beginning);
    }
  }

  @Test
  void aGlobGivesAChannelToThoseWhoTakeItAndOtherwiseItsCopyIsUnused() {
    Choosy choosy = new Choosy("mad.topic.");
    RecordingHandler all = new RecordingHandler();
    index.follow(choosy, pattern("mad.*"));
    index.confirm(pattern("mad.*"));
    assertThat(index.route("mad.topic.x").receivers()).containsExactly(choosy);
    assertThat(index.route("mad.topic.x").unusedCopies()).isZero();
    assertThat(index.route("mad.direct.x").receivers()).isEmpty();
    assertThat(index.route("mad.direct.x").unusedCopies()).isEqualTo(1);

    index.follow(choosy, pattern("mad.direct.x"));
    assertThat(index.route("mad.direct.x").receivers()).containsExactly(choosy);
    index.unfollow(choosy, pattern("mad.direct.x"));

    index.follow(all, pattern("mad.*"));
    assertThat(index.route("mad.direct.x").receivers()).containsExactly(all);
    assertThat(index.route("mad.direct.x").unusedCopies()).isZero();
    index.unfollow(all, pattern("mad.*"));

    choosy.beginning = "mad.direct.";
    index.reconsider(pattern("mad.*"));
    assertThat(index.route("mad.direct.x").receivers()).containsExactly(choosy);
    assertThat(index.route("mad.topic.x").receivers()).isEmpty();
  }

  @Test
  void aMessageCostsNoMoreWithManyGlobsThanWithFew() {
    double few = nanosForANewChannel(10);
    double many = nanosForANewChannel(20_000);
    System.out.printf(
        "a channel's first message: %.0f ns with 10 globs, %.0f ns with 20 000%n", few, many);
    // A scan would take a thousand times as long.
    assertThat(many).isLessThan(20 * few + 2_000);
  }

  private static double nanosForANewChannel(int globs) {
    SubscriptionIndex index = new SubscriptionIndex();
    RecordingHandler receiver = new RecordingHandler();
    for (int n = 0; n < globs; n++) {
      // Half of them differ at their beginning, half at their end.
      ChannelPattern glob =
          pattern(n % 2 == 0 ? "mad.topic.room-%d.*".formatted(n) : "mad.*.room-%d".formatted(n));
      index.follow(receiver, glob);
      index.confirm(glob);
    }
    double best = Double.MAX_VALUE;
    for (int round = 0; round < 8; round++) {
      long start = System.nanoTime();
      for (int n = 0; n < 5_000; n++) {
        index.route("mad.topic.room-%d.%d-%d".formatted(n % globs, round, n));
      }
      best = Math.min(best, (System.nanoTime() - start) / 5_000.0);
    }
    return best;
  }

  @Test
  void whatNobodyFollowsLeavesNothingBehind() {
    RecordingHandler receiver = new RecordingHandler();
    for (String text : List.of("mad.topic.x", "mad.topic.*", "mad.*x", "mad.to?ic.[ab]")) {
      index.follow(receiver, pattern(text));
      index.confirm(pattern(text));
      index.unfollow(receiver, pattern(text));
      assertThat(index.followed()).isZero();
      assertThat(index.find(pattern(text))).isNotNull();
      index.end(pattern(text));
      assertThat(index.find(pattern(text))).isNull();
    }
    assertThat(index.route("mad.topic.x").receivers()).isEmpty();
  }
}
