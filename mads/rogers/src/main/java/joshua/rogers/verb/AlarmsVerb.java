package joshua.rogers.verb;

import picocli.CommandLine.Command;

/** {@code alarms}: storms and loops (+RG-18). */
@Command(name = "alarms", description = "Shows who sent far too much, or may be in a loop.")
public final class AlarmsVerb extends SpanVerb {
  public AlarmsVerb() {
    super("alarms", "begun_at", "kind", "participants", "detail");
  }
}
