package joshua.grace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import joshua.conversation.ChannelPattern;
import org.junit.jupiter.api.Test;

final class TopicsTest {
  private static final ChannelPattern A = new ChannelPattern("mad.topic.a");
  private static final ChannelPattern B = new ChannelPattern("mad.topic.b");

  private final Topics topics =
      new Topics(new SubscriptionBudget(new GraceConfig(100, 10, 1L << 20)));

  @Test
  void whatAnotherStillWaitsForIsNotVain() {
    Topics.Claim first = topics.claim(List.of(A, B));
    Topics.Claim retry = topics.claim(List.of(A));

    assertThat(topics.takeBack(first)).containsExactly(B);
    assertThat(topics.areVain()).isFalse();
    assertThat(topics.takeBack(retry)).containsExactly(A);
    assertThat(topics.areVain()).isTrue();
  }

  @Test
  void whatWasPromisedIsKeptWhateverElseFails() {
    Topics.Claim early = topics.claim(List.of(A));
    Topics.Claim promised = topics.claim(List.of(A));
    assertThat(topics.confirm(promised)).isTrue();
    Topics.Claim late = topics.claim(List.of(A, B));

    assertThat(topics.takeBack(early)).isEmpty();
    assertThat(topics.takeBack(late)).containsExactly(B);
    assertThat(topics.areVain()).isFalse();
    assertThat(topics.confirmed()).containsExactly(A);
  }

  @Test
  void whatWasGivenUpAndNamedAnewBelongsToTheLaterCall() {
    Topics.Claim early = topics.claim(List.of(A));
    topics.giveUp(List.of(A));
    Topics.Claim late = topics.claim(List.of(A));

    assertThat(topics.takeBack(early)).isEmpty();
    assertThat(topics.confirm(late)).isTrue();
    assertThat(topics.confirmed()).containsExactly(A);
  }

  @Test
  void whatWasGivenUpIsNotConfirmed() {
    Topics.Claim claim = topics.claim(List.of(A, B));
    topics.giveUp(List.of(A));

    assertThat(topics.confirm(claim)).isFalse();
    assertThat(topics.takeBack(claim)).containsExactly(B);
  }
}
