package joshua.e2e;

import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import joshua.testing.RawListener;

/**
 * An attack by a viewer that looks for what others asked: in the audit log that the command shows,
 * and among the events on the bus. Less a load than a question, asked once in each window.
 */
final class PryingViewerAttack implements HostileAttack {
  private static final int VERBS = 2;
  private static final String EVENTS = "mad.topic.system_events";

  private final AttackTarget target;
  private final List<String> faults = new CopyOnWriteArrayList<>();

  PryingViewerAttack(AttackTarget target) {
    this.target = target;
  }

  @Override
  public String name() {
    return "prying viewer";
  }

  @Override
  public void attack(AttackWindow window, OutcomeCounts outcomes) throws InterruptedException {
    String secret = "a-secret-" + System.nanoTime();
    try (RawListener events = RawListener.on(target.redis(), EVENTS)) {
      List<String> prompt = List.of("ask", secret);
      List<String> payload =
          List.of(
              "tool",
              "grace_send_message",
              "{\"channel\":\"mad.direct.nobody\",\"payload\":{\"text\":\"%s\"}}"
                  .formatted(secret));
      target.verbs().admin("fiedler", prompt);
      target.verbs().admin("grace", payload);
      outcomes.add("verbs of an admin", VERBS);
      for (String mad : List.of("fiedler", "grace")) {
        String audit = target.verbs().viewer(mad, List.of("mad-logs", "--audit", "-n", "20"));
        look("mad-logs --audit of " + mad, audit, secret, outcomes);
      }
      await().until(() -> events.on(EVENTS).size() >= VERBS);
      outcomes.add("events", events.on(EVENTS).size());
      look("the events' topic", events.on(EVENTS).toString(), secret, outcomes);
    }
    window.pause(window.remaining());
  }

  private void look(String where, String text, String secret, OutcomeCounts outcomes) {
    outcomes.count("read " + where);
    if (text.contains(secret)) {
      faults.add("A viewer reads in %s what an admin asked or sent.".formatted(where));
    }
  }

  @Override
  public List<String> faults() {
    return List.copyOf(faults);
  }
}
