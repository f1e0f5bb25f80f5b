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
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskWork;
import joshua.tasks.store.LeaseStore;
import joshua.tasks.store.SecretRedactor;
import joshua.tasks.store.StreamStore;
import joshua.tasks.worker.TaskExecutor;
import joshua.tasks.worker.TaskManager;
import joshua.tasks.worker.TaskPublisher;
import joshua.tasks.worker.TaskWatchers;
import joshua.testing.bus.InMemoryBus;
import org.awaitility.core.ConditionFactory;

/** An executor on a real database and an in-memory bus, without the rest of a TaskManager. */
public final class ExecutorFixture implements AutoCloseable {
  public final TaskRows rows;
  public final InMemoryBus memory;
  public final LeaseStore leases;

  /** A holder in another process. */
  public final LeaseStore other;

  public final StreamStore streams;
  public final Semaphore untold = new Semaphore(0);
  public final TaskExecutor executor;
  private final ConversationBus bus;
  private final ConversationBus listener;
  private final List<Envelope> heard = new CopyOnWriteArrayList<>();

  public ExecutorFixture(Path directory, TasksConfig config, TaskWork work) throws Exception {
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

  public static ConditionFactory soon() {
    return await()
        .atMost(Duration.ofSeconds(20))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2));
  }

  public Task awaitEnd(UUID id) {
    return soon().until(() -> rows.task(id), task -> task.state().isFinal());
  }

  /** Waits until the task needs no more work. */
  public void awaitTold(UUID id) {
    soon().until(() -> rows.stage(id).isEmpty());
  }

  /** What was sent on a channel, without repetitions. */
  public List<Envelope> on(String channel) {
    return heard.stream()
        .filter(envelope -> envelope.channel().name().equals(channel))
        .distinct()
        .toList();
  }

  /** The tokens on a task's stream, in order, joined. */
  public String streamed(UUID id) {
    return String.join(
        "",
        on("mad.stream." + id).stream()
            .map(envelope -> envelope.payload().path("token").asText())
            .toList());
  }

  public double ended(String outcome) {
    return rows.meters.get("joshua.tasks.ended").tag("outcome", outcome).counter().count();
  }

  public double running() {
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
