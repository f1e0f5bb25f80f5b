package joshua.grace.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import joshua.conversation.ChannelPattern;
import joshua.grace.GraceConfig;
import org.junit.jupiter.api.Test;

final class FollowedTopicsTest {
  private static final ChannelPattern A = new ChannelPattern("mad.topic.a");
  private static final ChannelPattern B = new ChannelPattern("mad.topic.b");

  private final FollowedTopics followedTopics =
      new FollowedTopics(new SubscriptionBudget(new GraceConfig(100, 10, 1L << 20)));

  @Test
  void whatAnotherStillWaitsForIsNotVain() {
    FollowedTopics.Claim first = followedTopics.claim(List.of(A, B));
    FollowedTopics.Claim retry = followedTopics.claim(List.of(A));

    assertThat(followedTopics.takeBack(first)).containsExactly(B);
    assertThat(followedTopics.areVain()).isFalse();
    assertThat(followedTopics.takeBack(retry)).containsExactly(A);
    assertThat(followedTopics.areVain()).isTrue();
  }

  @Test
  void whatWasPromisedIsKeptWhateverElseFails() {
    FollowedTopics.Claim early = followedTopics.claim(List.of(A));
    FollowedTopics.Claim promised = followedTopics.claim(List.of(A));
    assertThat(followedTopics.confirm(promised)).isTrue();
    FollowedTopics.Claim late = followedTopics.claim(List.of(A, B));

    assertThat(followedTopics.takeBack(early)).isEmpty();
    assertThat(followedTopics.takeBack(late)).containsExactly(B);
    assertThat(followedTopics.areVain()).isFalse();
    assertThat(followedTopics.confirmed()).containsExactly(A);
  }

  @Test
  void whatWasGivenUpAndNamedAnewBelongsToTheLaterCall() {
    FollowedTopics.Claim early = followedTopics.claim(List.of(A));
    followedTopics.giveUp(List.of(A));
    FollowedTopics.Claim late = followedTopics.claim(List.of(A));

    assertThat(followedTopics.takeBack(early)).isEmpty();
    assertThat(followedTopics.confirm(late)).isTrue();
    assertThat(followedTopics.confirmed()).containsExactly(A);
  }

  @Test
  void whatWasGivenUpIsNotConfirmed() {
    FollowedTopics.Claim claim = followedTopics.claim(List.of(A, B));
    followedTopics.giveUp(List.of(A));

    assertThat(followedTopics.confirm(claim)).isFalse();
    assertThat(followedTopics.takeBack(claim)).containsExactly(B);
  }
}
