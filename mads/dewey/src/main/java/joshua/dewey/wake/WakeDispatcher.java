package joshua.dewey.wake;

import io.prometheus.metrics.core.metrics.Counter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.envelope.Channel;
import joshua.kernel.Json;
import joshua.service.ServiceContext;
import joshua.state.Database;

/** Begins and retries wakes once a second, counts how they end, and tells of those that failed. */
public final class WakeDispatcher {
  private final ServiceContext context;
  private final Database database;
  private final ConversationBus bus;
  private final Counter ended;
  private volatile Optional<String> problem = Optional.empty();

  /** A dispatcher that has yet to {@link #tick}. */
  public WakeDispatcher(ServiceContext context, Database database, ConversationBus bus) {
    this.context = context;
    this.database = database;
    this.bus = bus;
    this.ended = context.counter("joshua_wakes_total", "Wakes that have ended.", "outcome");
    ended.initLabelValues("dead"); // so that the first one is an increase
  }

  /** Does what is due. */
  public void tick() {
    Instant now = context.time().instant();
    List<WakeStore.Event> events = new ArrayList<>();
    int done = database.write(tx -> WakeStore.tick(tx, now, events));
    ended.labelValues("done").inc(done);
    events.forEach(this::tell);
    problem = database.read(tx -> WakeStore.problem(tx, now));
  }

  /** Tells the group. */
  public void tell(WakeStore.Event event) {
    ended.labelValues("dead").inc(event.event().equals("wake_dead") ? 1 : 0);
    var _ = bus.sendAsync(OutgoingMessage.on(Channel.EVENTS, Json.mapper().valueToTree(event)));
  }

  /** A sentence about who isn't woken, as of the last tick. */
  public Optional<String> problem() {
    return problem;
  }
}
