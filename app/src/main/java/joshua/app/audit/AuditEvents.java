package joshua.app.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import joshua.conversation.Channel;
import joshua.conversation.ConversationBus;
import joshua.conversation.EnvelopeCodec;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.SendResult;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.ssh.AuditLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes audit records on {@code mad.topic.system_events}. The table is authoritative: while the
 * bus is away, or when {@link #WAITING} events wait, events are left out, and the log says so.
 */
public final class AuditEvents implements AutoCloseable {
  /** The channel that events are published on. */
  static final Channel CHANNEL = Channel.topic("system_events");

  /** Events that may wait to be published. */
  static final int WAITING = 1_000;

  private static final Logger log = LoggerFactory.getLogger(AuditEvents.class);

  private final String mad;
  private final ConversationBus bus;
  private final BlockingQueue<AuditLog.Entry> waiting = new ArrayBlockingQueue<>(WAITING);
  private final Thread teller;

  private AuditEvents(String mad, ConversationBus bus) {
    this.mad = mad;
    this.bus = bus;
    this.teller = Thread.ofVirtual().name(mad + "-audit-events").unstarted(this::tell);
  }

  /** Starts publishing. */
  public static AuditEvents of(String mad, ConversationBus bus) {
    AuditEvents events = new AuditEvents(mad, bus);
    events.teller.start();
    return events;
  }

  /** Queues an entry to be published. Never blocks. */
  public void note(AuditLog.Entry entry) {
    if (!waiting.offer(entry)) {
      log.warn("{} events of the audit wait to be told; one is left out of the bus", WAITING);
    }
  }

  private void tell() {
    try {
      while (true) {
        AuditLog.Entry entry = waiting.take();
        if (!(bus.send(OutgoingMessage.on(CHANNEL, payload(entry)))
            instanceof SendResult.Accepted)) {
          log.warn("the bus wasn't told of a record of the audit; the table has it");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * {@code {event: "audit", at, subject, count, action, from, who, fingerprint, role, detail,
   * result}}; the subject is the MAD. Every client may follow the topic, so it has the public
   * detail.
   */
  private ObjectNode payload(AuditLog.Entry entry) {
    return Json.object()
        .put("event", "audit")
        .put("at", EnvelopeCodec.timestamp(entry.at()))
        .put("subject", mad)
        .put("count", 1)
        .put("action", entry.action().word())
        .put("from", entry.from())
        .put("who", entry.who())
        .put("fingerprint", entry.fingerprint().orElse(null))
        .put("role", entry.role().map(Role::word).orElse(null))
        .put("detail", entry.publicDetail())
        .put("result", entry.result());
  }

  /** Stops publishing; what waits is only in the table. */
  @Override
  public void close() {
    teller.interrupt();
  }
}
