package joshua.tasks.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import joshua.conversation.BusListener;
import joshua.conversation.ConversationBus;
import joshua.conversation.Gap;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.Presence;
import joshua.conversation.SendResult;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.kernel.Json;
import joshua.thought.model.Problem;

/**
 * The report of a service's problems on {@code mad.system.events}, published whenever they change.
 * After the first report it is repeated when others may have missed it: after a join or a gap.
 * Owned by the connection's timer; other threads only set the flag.
 */
final class ProblemReport implements BusListener {
  static final Duration TICK = Duration.ofSeconds(1);

  private final ConversationBus bus;
  private final Supplier<List<Problem>> problems;
  private List<Problem> told = List.of();
  private volatile boolean hasTold;
  private volatile boolean due;

  ProblemReport(ConversationBus bus, Supplier<List<Problem>> problems) {
    this.bus = bus;
    this.problems = problems;
  }

  /** Publishes a report if one is due. */
  void tick() {
    List<Problem> now = problems.get();
    if (due || !now.equals(told)) {
      due = false;
      hasTold = true;
      told = now;
      ObjectNode payload = Json.object().put("event", "problems");
      payload.put("instance", bus.self().instance());
      payload.set("problems", Json.mapper().valueToTree(now));
      bus.sendAsync(OutgoingMessage.on(Channel.EVENTS, payload))
          .thenAccept(result -> due |= !(result instanceof SendResult.Accepted));
    }
  }

  @Override
  public void onMessage(String channel, byte[] body) {
    EnvelopeCodec.tryDecode(channel, body)
        .filter(envelope -> Presence.isJoin(envelope, bus.self().instance()))
        .filter(join -> !join.payload().has("via"))
        .ifPresent(join -> due = hasTold);
  }

  @Override
  public void onGap(Gap gap) {
    due = hasTold;
  }
}
