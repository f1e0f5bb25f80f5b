package joshua.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Compares the records of a conversation's senders and listeners. */
record DeliveryAccount(List<TopicPublisher> talkers, List<CursorListener> listeners) {
  private static final int SHOWN = 3;

  long sent() {
    return talkers.stream().mapToLong(TopicPublisher::said).sum();
  }

  long outcomes(TopicPublisher.Outcome outcome) {
    return spoken().stream().filter(spoken -> spoken.outcome() == outcome).count();
  }

  /** How often each reason for a refusal occurred. */
  Map<String, Integer> refusals() {
    Map<String, Integer> all = new TreeMap<>();
    talkers.forEach(topicPublisher ->
        topicPublisher.refusals().forEach((code, count) -> all.merge(code, count, Integer::sum)));
    return all;
  }

  private List<TopicPublisher.Spoken> spoken() {
    return talkers.stream().flatMap(topicPublisher -> topicPublisher.answered().stream()).toList();
  }

  /** The expected deliveries: an accepted message for each follower of its channel. */
  long due() {
    return accepted()
        .mapToLong(
            spoken -> listeners.stream().filter(each -> each.follows(spoken.channel())).count())
        .sum();
  }

  private java.util.stream.Stream<TopicPublisher.Spoken> accepted() {
    return spoken().stream().filter(spoken -> spoken.outcome() == TopicPublisher.Outcome.ACCEPTED);
  }

  /** Accepted messages that a follower missed with a notice. */
  long missedAndTold() {
    return missing().stream().filter(Missing::told).count();
  }

  /** Accepted messages that a follower missed without any notice: losses. */
  List<String> silentlyLost() {
    return missing().stream()
        .filter(missing -> !missing.told())
        .limit(SHOWN)
        .map(Missing::toString)
        .toList();
  }

  private record Missing(CursorListener who, TopicPublisher.Spoken what, boolean told) {
    @Override
    public String toString() {
      return "%s did not hear %s (%s to %s), and was told only %s"
          .formatted(who.name(), what.key(), what.begun(), what.answered(), who.gaps());
    }
  }

  private List<Missing> missing() {
    List<Missing> missing = new ArrayList<>();
    accepted()
        .forEach(spoken ->
            listeners.stream()
                .filter(cursorListener -> cursorListener.follows(spoken.channel()))
                .filter(cursorListener -> !cursorListener.heard().containsKey(spoken.key()))
                .forEach(cursorListener ->
                    missing.add(
                        new Missing(cursorListener, spoken, told(cursorListener, spoken)))));
    return missing;
  }

  private static boolean told(CursorListener cursorListener, TopicPublisher.Spoken spoken) {
    return cursorListener.gaps().stream()
        .anyMatch(gap -> gap.covers(spoken.begun(), spoken.answered()));
  }

  /** Messages that were refused, which means not published, but arrived anyway. */
  List<String> refusedButHeard() {
    return spoken().stream()
        .filter(spoken -> spoken.outcome() == TopicPublisher.Outcome.REFUSED)
        .map(TopicPublisher.Spoken::key)
        .filter(key ->
            listeners.stream().anyMatch(cursorListener -> cursorListener.heard().containsKey(key)))
        .limit(SHOWN)
        .toList();
  }

  /** How many messages of unknown outcome arrived at a follower. */
  long unknownButHeard() {
    return spoken().stream()
        .filter(spoken -> spoken.outcome() == TopicPublisher.Outcome.UNKNOWN)
        .filter(spoken ->
            listeners.stream()
                .anyMatch(cursorListener -> cursorListener.heard().containsKey(spoken.key())))
        .count();
  }

  long heard() {
    return listeners.stream().mapToLong(cursorListener -> cursorListener.heard().size()).sum();
  }

  /** Repeats, and messages out of order. */
  List<String> faults() {
    return listeners.stream()
        .flatMap(cursorListener -> cursorListener.faults().stream())
        .limit(SHOWN)
        .toList();
  }

  /** How many gaps were reported, by reason. */
  Map<String, Integer> gaps() {
    Map<String, Integer> all = new TreeMap<>();
    listeners.forEach(cursorListener ->
        cursorListener.gaps().forEach(gap -> all.merge(gap.reason(), 1, Integer::sum)));
    return all;
  }
}
