package joshua.grace;

import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import joshua.conversation.ConversationBus;
import joshua.kernel.Pause;
import joshua.network.ReadinessCheck;
import joshua.network.Tool;

/**
 * Grace, the relay (REQ-GR-01…05): lets a client that can only call tools send, subscribe and poll.
 * Nothing is kept on disk; a restart is told to every client that returns.
 */
public final class Grace implements AutoCloseable {
  /** Her name on the bus. */
  public static final String NAME = "grace";

  private final ConversationBus bus;
  private final ClientPresence presence;
  private final List<Tool> tools;

  public Grace(
      GraceConfig config,
      ConversationBus bus,
      InstantSource time,
      Pause pause,
      MeterRegistry meters) {
    this.bus = bus;
    Cursors cursors = new Cursors(new SecureRandom());
    ClientQueues queues = new ClientQueues(config, bus, time, new RelayMeters(meters));
    this.presence = new ClientPresence(bus, queues, pause);
    this.tools =
        List.of(
            new SendTool(bus, queues, presence),
            new SubscribeTool(config, bus, queues, presence, cursors),
            new PollTool(queues, presence, cursors),
            new UnsubscribeTool(queues, presence));
  }

  /** Speaks for her clients from now on. */
  public Grace start() {
    presence.start();
    return this;
  }

  public List<Tool> tools() {
    return tools;
  }

  public List<ReadinessCheck> readiness() {
    return List.of(new BusReadiness(bus));
  }

  private record BusReadiness(ConversationBus bus) implements ReadinessCheck {
    @Override
    public String name() {
      return "bus";
    }

    @Override
    public Optional<String> problem() {
      return bus.isUsable()
          ? Optional.empty()
          : Optional.of("Redis at %s is away".formatted(bus.address()));
    }
  }

  @Override
  public void close() {
    presence.close();
  }
}
