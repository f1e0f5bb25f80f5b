package joshua.app;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.Subscription;
import joshua.kernel.Settings;
import joshua.ssh.CommandOutput;
import joshua.ssh.OutputFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code joshua tail}: follows channels, one line per message (REQ-JC-04). */
@Command(
    name = "tail",
    description = {
      "Follow what is said on the bus of a running group, until Ctrl-C.",
      "System messages and streams are shown where a pattern names them, or by --all."
    },
    footer = {
      "",
      "Examples:",
      "  joshua tail",
      "  joshua tail --all --exclude mad.system.heartbeat",
      "  joshua tail --from ann --grep 'weather|sky'",
      "  joshua tail 'mad.topic.*' mad.broadcast -o json",
      "  joshua tail mad.direct.ann -n 1"
    })
final class TailCommand implements Subcommand {
  @Mixin private TailFilter filter = new TailFilter();

  @Option(names = "-n", paramLabel = "COUNT", description = "End after so many messages.")
  private long count = Long.MAX_VALUE;

  @Mixin private FormatOption format = new FormatOption();

  @Override
  public int run(Settings settings, ProcessEnvironment around) throws Exception {
    check();
    CountDownLatch end = new CountDownLatch(1);
    ProcessSignals.onEnd(signal -> end.countDown());
    OutputConsole console = new OutputConsole(around);
    ProcessSignals.onResize(console::measure);
    CommandOutput commandOutput =
        new CommandOutput(console, format.json() ? OutputFormat.JSON : OutputFormat.TABLE);
    TailPrinter printer =
        new TailPrinter(filter, commandOutput, ZoneId.systemDefault(), count, end::countDown);
    try (ConversationBus bus = TemporaryBusConnection.as("cli", settings)) {
      try (Subscription _ = bus.subscribe(filter.followed(), printer)) {
        commandOutput.remark("following " + followed());
        end.await();
      }
    }
    printer.close();
    return 0;
  }

  private void check() throws UsageException {
    List<String> problems = new ArrayList<>();
    filter.read(problems);
    if (count < 1) {
      problems.add("-n must be at least 1");
    }
    if (!problems.isEmpty()) {
      throw new UsageException(problems);
    }
  }

  private String followed() {
    return filter.followed().stream().map(ChannelPattern::text).collect(Collectors.joining(" "));
  }
}
