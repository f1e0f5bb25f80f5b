package joshua.tasks;

import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.Envelope;
import joshua.conversation.Participant;
import joshua.kernel.ClockSources;
import joshua.kernel.TimedWait;
import joshua.network.mcp.ChangeNotifier;
import joshua.testing.bus.InMemoryBus;
import org.awaitility.core.ConditionFactory;

/** An executor on a real database and an in-memory bus, without the rest of a TaskManager. */
final class ExecutorFixture implements AutoCloseable {
  final TaskRows rows;
  final InMemoryBus memory;
  final LeaseStore leases;

  /** A holder in another process. */
  final LeaseStore other;

  final StreamStore streams;
  final Semaphore untold = new Semaphore(0);
  final TaskExecutor executor;
  private final ConversationBus bus;
  private final ConversationBus listener;
  private final List<Envelope> heard = new CopyOnWriteArrayList<>();

  ExecutorFixture(Path directory, TasksConfig config, TaskWork work) throws Exception {
    rows = new TaskRows(directory);
    memory = new InMemoryBus(rows.time);
    bus = participant("fiedler");
    listener = participant("listener");
    listener.subscribe(ChannelPattern.ALL, heard::add);
    leases = rows.leases("one");
    other = rows.leases("other");
    streams = new StreamStore(rows.database);
    TimedWait briefly = _ -> TimedWait.system().pause(Duration.ofMillis(2));
    executor =
        new TaskExecutor(
            "fiedler",
            config,
            Map.of(TaskManager.CONVERSE, work),
            new TaskExecutor.Tools(
                leases,
                streams,
                new TaskPublisher(bus),
                new TaskWatchers(new ChangeNotifier()),
                new SecretRedactor(config.secrets()),
                (point, id) -> {},
                untold),
            new ClockSources(rows.time, rows.time::nanoTime, briefly),
            rows.meters);
  }

  private ConversationBus participant(String name) throws Exception {
    return new ConversationBus(
            new Participant(name, name, "test", TaskRows.NOON),
            memory.link(),
            rows.time,
            1 << 20,
            new SimpleMeterRegistry(),
            ConversationBus::noDetail)
        .openUnannounced();
  }

  static ConditionFactory soon() {
    return await()
        .atMost(Duration.ofSeconds(20))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2));
  }

  Task awaitEnd(UUID id) {
    return soon().until(() -> rows.task(id), task -> task.state().isFinal());
  }

  /** Waits until the task needs no more work. */
  void awaitTold(UUID id) {
    soon().until(() -> rows.stage(id).isEmpty());
  }

  /** What was sent on a channel, without repetitions. */
  List<Envelope> on(String channel) {
    return heard.stream()
        .filter(envelope -> envelope.channel().name().equals(channel))
        .distinct()
        .toList();
  }

  /** The tokens on a task's stream, in order, joined. */
  String streamed(UUID id) {
    return String.join(
        "",
        on("mad.stream." + id).stream()
            .map(envelope -> envelope.payload().path("token").asText())
            .toList());
  }

  double ended(String outcome) {
    return rows.meters.get("joshua.tasks.ended").tag("outcome", outcome).counter().count();
  }

  double running() {
    return rows.meters.get("joshua.tasks.running").gauge().value();
  }

  @Override
  public void close() {
    executor.close();
    bus.close();
    listener.close();
    rows.close();
  }
}
