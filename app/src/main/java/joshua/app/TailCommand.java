package joshua.app;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.Envelope;
import joshua.conversation.EnvelopeCodec;
import joshua.conversation.Gap;
import joshua.conversation.MessageHandler;
import joshua.conversation.Subscription;
import joshua.kernel.Json;
import joshua.kernel.Settings;
import joshua.ssh.Printable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code joshua tail}: follows channels, a line a message (REQ-JC-04). */
@Command(
    name = "tail",
    description = "Follow what is said on the bus of a running group, until Ctrl-C.",
    footer = {
      "",
      "Examples:",
      "  joshua tail",
      "  joshua tail 'mad.topic.*' mad.broadcast -o json",
      "  joshua tail mad.direct.ann -n 1"
    })
final class TailCommand implements Subcommand {
  @Parameters(
      arity = "0..*",
      paramLabel = "PATTERN",
      description = "Channels or globs that begin with mad. Default: mad.*")
  private List<String> patterns = new ArrayList<>();

  @Option(names = "-n", paramLabel = "COUNT", description = "End after so many messages.")
  private long count = Long.MAX_VALUE;

  @Mixin private FormatOption format = new FormatOption();

  @Override
  public int run(Settings settings, Surroundings around) throws Exception {
    Set<ChannelPattern> followed = followed();
    CountDownLatch end = new CountDownLatch(1);
    Signals.onEnd(signal -> end.countDown());
    try (ConversationBus bus = Visit.as("cli", settings)) {
      Printer printer = new Printer(around, end);
      try (Subscription _ = bus.subscribe(followed, printer)) {
        around.err().println("joshua: following " + String.join(" ", texts(followed)));
        around.err().flush();
        end.await();
      }
    }
    return 0;
  }

  private Set<ChannelPattern> followed() throws Misuse {
    Set<ChannelPattern> followed = new LinkedHashSet<>();
    List<String> problems = new ArrayList<>();
    for (String text : patterns) {
      Optional<ChannelPattern> pattern = ChannelPattern.parse(text);
      pattern.ifPresentOrElse(
          followed::add,
          () -> problems.add("PATTERN %s (it is \"%s\")".formatted(ChannelPattern.RULE, text)));
    }
    if (count < 1) {
      problems.add("-n must be at least 1");
    }
    if (!problems.isEmpty()) {
      throw new Misuse(problems);
    }
    return followed.isEmpty() ? Set.of(ChannelPattern.ALL) : followed;
  }

  private static List<String> texts(Set<ChannelPattern> patterns) {
    return patterns.stream().map(ChannelPattern::text).toList();
  }

  /** Writes what comes, until there has been enough or nobody reads any more. */
  private final class Printer implements MessageHandler {
    private final PrintStream out;
    private final PrintStream err;
    private final CountDownLatch end;
    private long left = count;

    Printer(Surroundings around, CountDownLatch end) {
      this.out = around.out();
      this.err = around.err();
      this.end = end;
    }

    @Override
    public void onMessage(Envelope envelope) {
      if (left == 0) {
        return;
      }
      out.println(line(envelope));
      left--;
      // checkError flushes, and is true once the reader of a pipe has gone.
      if (left == 0 || out.checkError()) {
        end.countDown();
      }
    }

    @Override
    public void onGap(Gap gap) {
      String count =
          gap.missed().isPresent() ? gap.missed().getAsLong() + "" : "an unknown number of";
      err.printf(
          "joshua: missed %s messages since %s (%s)%n",
          count, gap.since(), gap.reason().name().toLowerCase(java.util.Locale.ROOT));
      err.flush();
    }
  }

  private String line(Envelope envelope) {
    return format.json()
        ? Printable.text(Json.write(EnvelopeCodec.tree(envelope)))
        : "%s  %s  %s%s  %s"
            .formatted(
                EnvelopeCodec.timestamp(envelope.timestamp()),
                envelope.channel(),
                envelope.senderId(),
                envelope.recipientId().map(id -> " → " + id).orElse(""),
                Printable.text(Json.write(envelope.payload())));
  }
}
