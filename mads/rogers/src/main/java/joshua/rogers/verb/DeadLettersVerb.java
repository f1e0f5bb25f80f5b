package joshua.rogers.verb;

import picocli.CommandLine.Command;

/** {@code dead-letters}: messages that can't be read (+RG-18). */
@Command(name = "dead-letters", description = "Shows messages that are no envelopes, and why.")
public final class DeadLettersVerb extends SpanVerb {
  public DeadLettersVerb() {
    super("dead_letters", "last_at", "messages", "channel", "reason", "head");
  }
}
