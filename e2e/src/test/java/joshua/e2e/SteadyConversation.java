package joshua.e2e;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/**
 * Several clients that send and listen all at once, at a steady rate: each is subscribed to a topic
 * of its own and to a shared one. One more, the sleeper, follows the shared topic and doesn't poll
 * until everything is over.
 */
final class SteadyConversation implements AutoCloseable {
  private static final String SHARED = "mad.topic.shared";
  private static final Duration TICK = Duration.ofMillis(10);
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(60);

  private final List<TopicPublisher> talkers = new ArrayList<>();
  private final List<CursorListener> listeners = new ArrayList<>();
  private final CursorListener sleeper;
  private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
  private final ExecutorService polling = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<?>> polls = new ArrayList<>();
  private volatile boolean over;

  /** Starts {@code clients} of them, which together send the given number of messages a second. */
  SteadyConversation(GroupUnderTest groupUnderTest, int clients, int perSecond) {
    List<String> own =
        IntStream.range(0, clients).mapToObj(i -> "mad.topic.of-client-" + i).toList();
    for (int i = 0; i < clients; i++) {
      String name = "client-" + i;
      listeners.add(new CursorListener(name, groupUnderTest.client(), Set.of(own.get(i), SHARED)));
      talkers.add(
          new TopicPublisher(
              name, groupUnderTest.client(), List.of(SHARED, own.get((i + 1) % clients))));
    }
    sleeper = new CursorListener("sleeper", groupUnderTest.client(), Set.of(SHARED));
    listeners.forEach(cursorListener -> polls.add(polling.submit(() -> pollOn(cursorListener))));
    int eachTick = Math.toIntExact(perSecond * TICK.toMillis() / 1000 / clients);
    talkers.forEach(topicPublisher ->
        clock.scheduleAtFixedRate(
            () -> IntStream.range(0, eachTick).forEach(n -> topicPublisher.talk()),
            0,
            TICK.toMillis(),
            TimeUnit.MILLISECONDS));
  }

  private void pollOn(CursorListener cursorListener) {
    while (!over) {
      cursorListener.poll();
    }
  }

  /**
   * Whether every client has had a message accepted, and has received one, sent after this moment.
   */
  boolean goesOnSince(Instant moment) {
    return firstAccepted(moment).isPresent() && firstHeard(moment).isPresent();
  }

  /** When the last of the talkers had a message accepted that was sent after {@code moment}. */
  Optional<Instant> firstAccepted(Instant moment) {
    return latest(
        talkers.stream()
            .map(topicPublisher ->
                topicPublisher.answered().stream()
                    .filter(spoken -> spoken.outcome() == TopicPublisher.Outcome.ACCEPTED)
                    .filter(spoken -> spoken.begun().isAfter(moment))
                    .map(TopicPublisher.Spoken::answered)
                    .min(Comparator.naturalOrder()))
            .toList());
  }

  /** When the last of the listeners had received a message accepted after {@code moment}. */
  Optional<Instant> firstHeard(Instant moment) {
    Set<String> fresh = new LinkedHashSet<>();
    talkers.forEach(topicPublisher ->
        topicPublisher.answered().stream()
            .filter(spoken -> spoken.begun().isAfter(moment))
            .forEach(spoken -> fresh.add(spoken.key())));
    return latest(
        listeners.stream()
            .map(cursorListener ->
                cursorListener.heard().entrySet().stream()
                    .filter(heard -> fresh.contains(heard.getKey()))
                    .map(java.util.Map.Entry::getValue)
                    .min(Comparator.naturalOrder()))
            .toList());
  }

  private static Optional<Instant> latest(List<Optional<Instant>> moments) {
    return moments.stream().allMatch(Optional::isPresent)
        ? moments.stream().map(Optional::orElseThrow).max(Comparator.naturalOrder())
        : Optional.empty();
  }

  /**
   * Ends the sending, and the listening once every listener has received every sender's last
   * message.
   */
  DeliveryAccount end() throws InterruptedException {
    clock.shutdown();
    if (!clock.awaitTermination(ENDS_WITHIN.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("a talker can't stop");
    }
    Set<String> last = new LinkedHashSet<>();
    for (TopicPublisher topicPublisher : talkers) {
      last.add(topicPublisher.insist(SHARED));
    }
    List<Future<?>> ends = new ArrayList<>();
    over = true;
    for (Future<?> poll : polls) {
      await(poll);
    }
    listeners.forEach(
        cursorListener -> ends.add(polling.submit(() -> cursorListener.pollUntil(last))));
    ends.add(polling.submit(() -> sleeper.pollUntil(last)));
    for (Future<?> end : ends) {
      await(end);
    }
    List<CursorListener> all = new ArrayList<>(listeners);
    all.add(sleeper);
    return new DeliveryAccount(talkers, all);
  }

  private static void await(Future<?> end) throws InterruptedException {
    try {
      end.get(ENDS_WITHIN.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("a listener did not hear everybody's last word", e);
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
    over = true;
    polling.shutdownNow();
  }
}
