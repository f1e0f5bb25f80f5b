package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import joshua.kernel.Pause;

/**
 * A talk through an outage of Redis, and what its books must say: every send is accounted for, and
 * every accepted message came to everybody who follows its channel or was covered by a gap that
 * they were told of.
 */
final class Outage {
  /** So long a talk is undisturbed before and after. */
  static final Duration UNDISTURBED = Duration.ofSeconds(4);

  private Outage() {}

  /**
   * Waits for the talk to go on after {@code moment}, ends it, and looks into the books.
   *
   * @param backWithin how long that may take
   */
  static Account seeThrough(
      String what, Conversation conversation, Instant moment, Duration backWithin)
      throws InterruptedException {
    await()
        .atMost(backWithin)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> conversation.goesOnSince(moment));
    Duration publishes = Duration.between(moment, conversation.firstAccepted(moment).orElseThrow());
    Duration receives = Duration.between(moment, conversation.firstHeard(moment).orElseThrow());
    Pause.system().pause(UNDISTURBED);
    Account account = conversation.end();
    print(what, account, publishes, receives);

    long accepted = account.outcomes(Talker.Outcome.ACCEPTED);
    long refused = account.outcomes(Talker.Outcome.REFUSED);
    long unknown = account.outcomes(Talker.Outcome.UNKNOWN);
    assertThat(account.sent()).isEqualTo(accepted + refused + unknown);
    assertThat(account.refusedButHeard()).isEmpty();
    assertThat(account.faults()).isEmpty();
    assertThat(account.silentlyLost()).isEmpty();
    return account;
  }

  private static void print(String what, Account account, Duration publishes, Duration receives) {
    System.out.printf(
        """
        Redis %s
          sends      %7d = %d accepted + %d refused %s + %d unknown (%d of these came)
          deliveries %7d due = %d heard + %d missed and told; gaps told %s
          again      %7d ms until all publish, %d ms until all receive
        """,
        what,
        account.sent(),
        account.outcomes(Talker.Outcome.ACCEPTED),
        account.outcomes(Talker.Outcome.REFUSED),
        account.refusals(),
        account.outcomes(Talker.Outcome.UNKNOWN),
        account.unknownButHeard(),
        account.due(),
        account.due() - account.missedAndTold() - account.silentlyLost().size(),
        account.missedAndTold(),
        account.gaps(),
        publishes.toMillis(),
        receives.toMillis());
  }
}
