package joshua.rogers.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.ssh.PastTime;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code timeline}: what happened. */
@Command(name = "timeline", description = "Shows what happened, newest first.")
public final class TimelineVerb extends SpanVerb {
  @Parameters(arity = "0..1", paramLabel = "NAME", description = "To one participant.")
  private @Nullable String participant;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      converter = PastTime.class,
      description = "Five minutes before and after: " + PastTime.FORM + ".")
  private @Nullable String at;

  public TimelineVerb() {
    super("timeline", "happened_at", "what", "subject", "detail");
  }

  @Override
  protected void arguments(ObjectNode arguments) {
    super.arguments(arguments);
    arguments.put("participant", participant).put("at", at);
  }
}
