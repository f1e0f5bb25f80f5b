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
import joshua.ssh.CommandOutput;
import joshua.ssh.OutputFormat;
import joshua.ssh.StyledLine;
import joshua.ssh.TextStyle;

/**
 * Prints what {@code joshua tail} follows, until there has been enough or the output is closed.
 * Messages arrive on one thread; {@link #close} is called after the last.
 */
final class TailPrinter implements MessageHandler {
  private static final DateTimeFormatter TIME_OF_DAY = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

  private final TailFilter filter;
  private final CommandOutput commandOutput;
  private final ZoneId zone;
  private final Runnable end;
  private long left;
  private long system;

  /**
   * @param most how many messages are enough
   * @param zone whose time of day is shown
   * @param end is run when there has been enough
   */
  TailPrinter(
      TailFilter filter, CommandOutput commandOutput, ZoneId zone, long most, Runnable end) {
    this.filter = filter;
    this.commandOutput = commandOutput;
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
    if (commandOutput.format() == OutputFormat.JSON) {
      commandOutput.json(EnvelopeCodec.tree(envelope));
    } else {
      commandOutput.row(line(envelope));
    }
    left--;
    if (left == 0 || commandOutput.gone()) {
      left = 0;
      end.run();
    }
  }

  private StyledLine line(Envelope envelope) {
    String recipient = envelope.recipientId().map(id -> " → " + id).orElse("");
    return new StyledLine(
        List.of(
            plain(TIME_OF_DAY.format(envelope.timestamp().atZone(zone)) + "  "),
            plain(envelope.channel() + "  "),
            new StyledLine.Piece(envelope.senderId(), TextStyle.ofName(envelope.senderId())),
            plain(recipient + "  "),
            plain(Json.write(envelope.payload()))));
  }

  private static StyledLine.Piece plain(String text) {
    return new StyledLine.Piece(text, TextStyle.PLAIN);
  }

  @Override
  public synchronized void onGap(Gap gap) {
    String count =
        gap.missed().isPresent() ? gap.missed().getAsLong() + "" : "an unknown number of";
    commandOutput.remark(
        "missed %s messages since %s (%s)"
            .formatted(count, gap.since(), gap.reason().name().toLowerCase(Locale.ROOT)));
  }

  /** Reports what was not shown. */
  synchronized void close() {
    if (system > 0) {
      commandOutput.remark(
          "%s system %s not shown; --all shows them"
              .formatted(ResourceLimit.grouped(system), system == 1 ? "message" : "messages"));
    }
  }
}
