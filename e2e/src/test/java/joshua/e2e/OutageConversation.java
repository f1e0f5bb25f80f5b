package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import joshua.kernel.TimedWait;

/**
 * A conversation through an outage of Redis, and its invariants: every send is accounted for, and
 * every accepted message reached every follower of its channel or was covered by a gap reported to
 * that follower.
 */
final class OutageConversation {
  /** How long the conversation is undisturbed before and after. */
  static final Duration UNDISTURBED = Duration.ofSeconds(4);

  private OutageConversation() {}

  /**
   * Waits for the conversation to continue after {@code moment}, ends it, and checks the records.
   *
   * @param backWithin how long that may take
   */
  static DeliveryAccount seeThrough(
      String what, SteadyConversation steadyConversation, Instant moment, Duration backWithin)
      throws InterruptedException {
    await()
        .atMost(backWithin)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> steadyConversation.goesOnSince(moment));
    Duration publishes =
        Duration.between(moment, steadyConversation.firstAccepted(moment).orElseThrow());
    Duration receives =
        Duration.between(moment, steadyConversation.firstHeard(moment).orElseThrow());
    TimedWait.system().pause(UNDISTURBED);
    DeliveryAccount deliveryAccount = steadyConversation.end();
    print(what, deliveryAccount, publishes, receives);

    long accepted = deliveryAccount.outcomes(TopicPublisher.Outcome.ACCEPTED);
    long refused = deliveryAccount.outcomes(TopicPublisher.Outcome.REFUSED);
    long unknown = deliveryAccount.outcomes(TopicPublisher.Outcome.UNKNOWN);
    assertThat(deliveryAccount.sent()).isEqualTo(accepted + refused + unknown);
    assertThat(deliveryAccount.refusedButHeard()).isEmpty();
    assertThat(deliveryAccount.faults()).isEmpty();
    assertThat(deliveryAccount.silentlyLost()).isEmpty();
    return deliveryAccount;
  }

  private static void print(
      String what, DeliveryAccount deliveryAccount, Duration publishes, Duration receives) {
    System.out.printf(
        """
        Redis %s
          sends      %7d = %d accepted + %d refused %s + %d unknown (%d of these came)
          deliveries %7d due = %d heard + %d missed and told; gaps told %s
          again      %7d ms until all publish, %d ms until all receive
        """,
        what,
        deliveryAccount.sent(),
        deliveryAccount.outcomes(TopicPublisher.Outcome.ACCEPTED),
        deliveryAccount.outcomes(TopicPublisher.Outcome.REFUSED),
        deliveryAccount.refusals(),
        deliveryAccount.outcomes(TopicPublisher.Outcome.UNKNOWN),
        deliveryAccount.unknownButHeard(),
        deliveryAccount.due(),
        deliveryAccount.due()
            - deliveryAccount.missedAndTold()
            - deliveryAccount.silentlyLost().size(),
        deliveryAccount.missedAndTold(),
        deliveryAccount.gaps(),
        publishes.toMillis(),
        receives.toMillis());
  }
}
