package joshua.rogers.verb;

import picocli.CommandLine.Command;

/** {@code problems}: everything that isn't well. */
@Command(
    name = "problems",
    description = "Shows everything that isn't well; in the last hour, if no time is given.")
public final class ProblemsVerb extends SpanVerb {
  public ProblemsVerb() {
    super("problems", "last_at", "what", "subject", "detail");
  }
}
