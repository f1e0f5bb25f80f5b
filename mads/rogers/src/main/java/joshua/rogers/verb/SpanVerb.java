package joshua.rogers.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.ssh.PastTime;
import joshua.ssh.QueryVerb;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A verb about a span of time. */
abstract class SpanVerb extends QueryVerb {
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

  SpanVerb(String query, String... columns) {
    super(query, columns);
  }

  @Override
  protected void arguments(ObjectNode arguments) {
    arguments.put("since", since).put("until", until);
  }
}
