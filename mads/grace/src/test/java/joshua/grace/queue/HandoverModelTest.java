package joshua.grace.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.ChannelPattern;
import joshua.conversation.envelope.Envelope;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.grace.queue.Handover.Fetch;
import joshua.grace.queue.Handover.Receipt;
import joshua.grace.queue.Polls.Outcome;
import joshua.grace.queue.Polls.Poll;
import joshua.kernel.Json;
import joshua.network.AddressDefaults;
import joshua.network.Connection;
import joshua.testing.ManualTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The handover of mail as a random walk: the relay's queues as they are, and beside them a bus with
 * one order, an archivist that commits late, a client that loses answers, and crashes. Its seed is
 * in what a failure says; {@code -Dwalks=5000} takes that many.
 */
class HandoverModelTest {
  private static final int RUNS = Integer.getInteger("walks", 50);
  private static final int STEPS = 900;
  private static final Channel ANN = Channel.direct("ann");
  private static final Channel NEWS = Channel.topic("news");

  /**
   * Who is killed; with {@code CUT} the relay's connection breaks, and answers get lost; with
   * {@code MOVE} the client goes from one relay to another and back.
   */
  enum Faults {
    NONE,
    MOVE,
    GRACE,
    CUT,
    DEWEY,
    ALL
  }

  @ParameterizedTest
  @EnumSource
  void mailComesOnceAndInOrderOrIsMarkedOrWasMissedByAll(Faults faults) throws Exception {
    long first = new Random().nextLong();
    for (int run = 0; run < RUNS; run++) {
      Walk walk = new Walk(first + run, faults);
      try {
        walk.run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed %d, %s".formatted(first + run, faults), e);
      }
    }
  }

  /** A relay at which the client isn't now. */
  private record Relay(ClientQueues queues, Polls polls, Connection connection) {}

  private static final class Walk {
    private final Random random;
    private final Faults faults;
    private final ManualTime time = new ManualTime(Instant.parse("2026-01-31T12:00:00Z"));
    private final boolean usesCursors;
    private final Map<String, Integer> numbers = new HashMap<>(); // of mail by id
    private final Set<Integer> received = new HashSet<>();
    private final List<Integer> firsts = new ArrayList<>();
    private int epoch;
    private int published;
    private int read;
    private ClientQueues queues;
    private Polls polls;
    private Connection connection;
    private @Nullable Runnable onReset;
    private @Nullable String cursor;
    private boolean hears = true;
    private boolean isFetching;
    private int failures;
    private boolean heals;
    private @Nullable Relay other;

    private final ModelArchivist dewey = new ModelArchivist();

    Walk(long seed, Faults faults) {
      this.random = new Random(seed);
      this.faults = faults;
      this.usesCursors = random.nextBoolean();
      startGrace();
    }

    private boolean has(Faults fault) {
      return !heals && (faults == fault || faults == Faults.ALL);
    }

    private boolean chance(double probability) {
      return random.nextDouble() < probability;
    }

    private void startGrace() {
      epoch++;
      ClientQueues.Limits limits = new ClientQueues.Limits(8, 2, 1_000_000);
      queues = new ClientQueues(Integer.toHexString(epoch), limits, time, time::nanoTime);
      polls = new Polls(queues, this::fetch);
      connection =
          new Connection(
              "socket",
              () -> false,
              action -> {
                onReset = action;
                return () -> onReset = null;
              },
              AddressDefaults.NONE);
      hears = true;
      failures = 0;
    }

    void run() throws InterruptedException {
      queues.handover().setHeard(true);
      subscribe();
      for (int step = 0; step < STEPS; step++) {
        step();
      }
      heals = true;
      dewey.runs = true;
      cut(true);
      for (int empty = 0; empty < 5; ) {
        queues.handover().setHeard(true);
        time.advance(Duration.ofSeconds(3));
        dewey.process(Integer.MAX_VALUE);
        read = 0;
        poll();
        receipts();
        empty = read == 0 ? empty + 1 : 0;
      }
      for (int number : numbers.values()) {
        assertThat(received.contains(number) || dewey.missed.contains(number))
            .as("%d is lost, %s", number, dewey.missed)
            .isTrue();
      }
      if (faults == Faults.NONE || faults == Faults.GRACE) {
        assertThat(dewey.missed).isEmpty();
        assertThat(firsts).isSorted();
      }
    }

    private void step() throws InterruptedException {
      int which = random.nextInt(100);
      if (which < 30) {
        publish(ANN);
      } else if (which < 42) {
        publish(NEWS);
      } else if (which < 66) {
        dewey.process(1 + random.nextInt(6));
      } else if (which < 76) {
        receipts();
      } else if (which < 92) {
        if (!isFetching) {
          poll();
        }
      } else if (which < 95) {
        time.advance(Duration.ofMillis(random.nextInt(4_000)));
        beat();
      } else {
        fault();
      }
    }

    private void beat() {
      queues.handover().setHeard(dewey.runs);
      if (dewey.runs) {
        failures = 0;
      }
    }

    private void fault() throws InterruptedException {
      if (faults == Faults.MOVE && !isFetching && chance(0.2)) {
        move();
      } else if (has(Faults.GRACE) && !isFetching && chance(0.2)) {
        startGrace();
        beat();
      } else if (has(Faults.CUT) && chance(0.3)) {
        cut(!hears);
      } else if (has(Faults.DEWEY) && chance(0.2)) {
        dewey.killOrStart();
      }
    }

    private void move() throws InterruptedException {
      Relay left = new Relay(queues, polls, connection);
      if (other == null) {
        startGrace();
        beat();
      } else {
        queues = other.queues();
        polls = other.polls();
        connection = other.connection();
      }
      other = left;
      cursor = chance(0.5) ? cursor : null;
      subscribe();
    }

    private void cut(boolean back) {
      if (back != hears) {
        hears = back;
        queues.broken(time.instant());
      }
    }

    private void publish(Channel channel) {
      UUID id = new UUID(7, ++published);
      Instant now = time.instant();
      Envelope envelope =
          new Envelope(id, id, id, now, "bob", Optional.empty(), channel, Json.object(), Map.of());
      byte[] body = EnvelopeCodec.encode(envelope);
      ModelArchivist.Row row = new ModelArchivist.Row(published, id.toString(), now, body);
      if (hears) {
        queues.deliver(envelope, row.body(), client -> true);
      }
      if (other != null) {
        other.queues().deliver(envelope, row.body(), client -> true);
      }
      if (channel.equals(ANN)) {
        numbers.put(row.id(), row.number());
        dewey.hear(row);
      }
    }

    private void fetch(String client) throws InterruptedException {
      Optional<Fetch> begun = queues.handover().begin(client);
      if (begun.isEmpty()) {
        return;
      }
      Fetch fetch = begun.get();
      ClientQueues asking = queues;
      isFetching = true;
      while (chance(0.4)) {
        step(); // before the request is published
      }
      List<JsonNode> answer = new ArrayList<>();
      if (hears) {
        queues.handover().passed(fetch.id());
        dewey.take(() -> answer.add(dewey.page(fetch)));
      }
      boolean isPatient = Set.of(Faults.NONE, Faults.MOVE, Faults.GRACE).contains(faults) || heals;
      for (int i = 0; answer.isEmpty() ? i < 30 || (isPatient && dewey.runs) : chance(0.5); i++) {
        if (heals) {
          dewey.process(1);
        } else {
          step();
        }
      }
      isFetching = false;
      if (answer.isEmpty() || !hears || (has(Faults.CUT) && chance(0.2))) {
        asking.handover().end(fetch, Optional.empty());
        if (++failures == 2) {
          asking.handover().setHeard(false);
        }
      } else {
        asking.handover().end(fetch, Optional.of(answer.getFirst()));
      }
    }

    private void receipts() {
      ClientQueues asking = queues;
      Map<String, Receipt> receipts = asking.handover().receipts();
      if (other != null) {
        List<String> collected =
            receipts.entrySet().stream()
                .filter(each -> each.getValue().isCollected())
                .map(Map.Entry::getKey)
                .toList();
        ObjectNode told = Json.object().set("ann", Json.mapper().valueToTree(collected));
        other.queues().handover().heard(told);
      }
      if (hears && dewey.runs && asking.handover().isHeard()) {
        dewey.take(() -> {
          dewey.receive(receipts);
          if (!has(Faults.CUT) || chance(0.8)) {
            asking.handover().confirm(receipts);
          }
        });
      }
    }

    private void subscribe() throws InterruptedException {
      queues.subscribe(
          "ann",
          List.of(ChannelPattern.exactly(ANN), ChannelPattern.exactly(NEWS)),
          Optional.ofNullable(cursor).flatMap(text -> Cursor.parse("ann", text)),
          !hears,
          connection,
          new ReadingRights(false, false));
      fetch("ann");
    }

    private void poll() throws InterruptedException {
      Optional<Cursor> last =
          usesCursors
              ? Optional.ofNullable(cursor).flatMap(text -> Cursor.parse("ann", text))
              : Optional.empty();
      Poll poll = new Poll("ann", last, Duration.ZERO, 5, 1_000_000, Long.MAX_VALUE, connection);
      Polls.Open open = polls.begin(poll);
      Optional<Outcome> atOnce = open.atOnce();
      try {
        Outcome outcome =
            atOnce.isPresent() ? atOnce.get() : open.await(CompletableFuture.completedFuture(null));
        switch (outcome) {
          case Outcome.NotSubscribed _ -> subscribe();
          case Outcome.Answer answer -> read(answer, last.isEmpty());
        }
      } catch (java.util.concurrent.ExecutionException e) {
        throw new AssertionError(e);
      }
    }

    private void read(Outcome.Answer answer, boolean takes) {
      boolean isRead = heals || chance(0.9);
      answer.written().accept(isRead || chance(0.5));
      if (isRead) {
        cursor = answer.page().to().toString();
        read += answer.page().messages().size();
        for (QueuedMessage message : answer.page().messages()) {
          Integer number = numbers.get(message.id());
          if (number != null && received.add(number)) {
            firsts.add(number);
          } else if (number != null && faults != Faults.MOVE) { // both relays have what is new
            // What would tell may have been lost everywhere, if all fails in turn.
            boolean mayBeUnknown = !usesCursors || faults == Faults.ALL;
            assertThat(answer.page().again() || (message.kept && mayBeUnknown))
                .as("%d comes twice, unmarked", number)
                .isTrue();
          }
        }
      } else if (onReset != null && takes) {
        onReset.run();
      }
    }
  }
}
