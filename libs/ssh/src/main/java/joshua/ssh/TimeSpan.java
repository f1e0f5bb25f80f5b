package joshua.ssh;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a verb about a span of time, as a picocli mixin. */
public final class TimeSpan {
  @Option(
      names = "--since",
      paramLabel = "TIME",
      converter = PastTime.class,
      description = "Not before: " + PastTime.FORM + ".")
  private @Nullable String since;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      converter = PastTime.class,
      description = "Before that.")
  private @Nullable String until;

  /** Adds them to the input of a tool or a query. */
  public ObjectNode addTo(ObjectNode input) {
    return input.put("since", since).put("until", until);
  }
}
