package joshua.app;

import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import joshua.conversation.Envelope;
import joshua.conversation.EnvelopeCodec;
import joshua.conversation.Gap;
import joshua.conversation.MessageHandler;
import joshua.kernel.Json;
import joshua.kernel.ResourceLimit;
import joshua.ssh.Line;
import joshua.ssh.OutputFormat;
import joshua.ssh.Screen;
import joshua.ssh.Style;

/**
 * Writes what {@code joshua tail} follows, until there has been enough or nobody reads any more.
 * Messages come on one thread; {@link #close} is called once they come no longer.
 */
final class TailPrinter implements MessageHandler {
  private static final DateTimeFormatter TIME_OF_DAY = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

  private final TailFilter filter;
  private final Screen screen;
  private final ZoneId zone;
  private final Runnable end;
  private long left;
  private long system;

  /**
   * Makes one.
   *
   * @param most how many messages are enough
   * @param zone whose time of day is shown
   * @param end is run when there has been enough
   */
  TailPrinter(TailFilter filter, Screen screen, ZoneId zone, long most, Runnable end) {
    this.filter = filter;
    this.screen = screen;
    this.zone = zone;
    this.left = most;
    this.end = end;
  }

  @Override
  public synchronized void onMessage(Envelope envelope) {
    if (left == 0) {
      return;
    }
    switch (filter.judge(envelope)) {
      case SHOWN -> show(envelope);
      case SYSTEM -> system++;
      case LEFT_OUT -> {}
    }
  }

  private void show(Envelope envelope) {
    if (screen.format() == OutputFormat.JSON) {
      screen.json(EnvelopeCodec.tree(envelope));
    } else {
      screen.row(line(envelope));
    }
    left--;
    if (left == 0 || screen.gone()) {
      left = 0;
      end.run();
    }
  }

  private Line line(Envelope envelope) {
    String recipient = envelope.recipientId().map(id -> " → " + id).orElse("");
    return new Line(
        List.of(
            plain(TIME_OF_DAY.format(envelope.timestamp().atZone(zone)) + "  "),
            plain(envelope.channel() + "  "),
            new Line.Piece(envelope.senderId(), Style.ofName(envelope.senderId())),
            plain(recipient + "  "),
            plain(Json.write(envelope.payload()))));
  }

  private static Line.Piece plain(String text) {
    return new Line.Piece(text, Style.PLAIN);
  }

  @Override
  public synchronized void onGap(Gap gap) {
    String count =
        gap.missed().isPresent() ? gap.missed().getAsLong() + "" : "an unknown number of";
    screen.remark(
        "missed %s messages since %s (%s)"
            .formatted(count, gap.since(), gap.reason().name().toLowerCase(Locale.ROOT)));
  }

  /** Says what was not shown. */
  synchronized void close() {
    if (system > 0) {
      screen.remark(
          "%s system %s not shown; --all shows them"
              .formatted(ResourceLimit.grouped(system), system == 1 ? "message" : "messages"));
    }
  }
}
