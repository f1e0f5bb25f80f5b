package joshua.rogers.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.ssh.PastTime;
import joshua.ssh.QueryVerb;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code stats}: how much was published (REQ-RG-11). */
@Command(name = "stats", description = "Counts messages by sender, kind of channel, or hour.")
public final class StatsVerb extends QueryVerb {
  @Option(
      names = "--by",
      paramLabel = "WHAT",
      defaultValue = "sender",
      description = "sender, kind, hour or total; ${DEFAULT-VALUE} if left out.")
  private String by;

  @Option(names = "--sender", paramLabel = "NAME", description = "Only what it sent.")
  private @Nullable String sender;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "mad.direct, mad.topic, mad.broadcast, mad.stream, mad.system, mad.other.")
  private @Nullable String kind;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      converter = PastTime.class,
      description = "From that hour on: " + PastTime.FORM + ".")
  private @Nullable String since;

  public StatsVerb() {
    super("traffic", "messages", "bytes", "name");
  }

  @Override
  protected void arguments(ObjectNode arguments) {
    arguments.put("by", by).put("participant", sender).put("kind", kind).put("since", since);
  }
}
