package joshua.rogers.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.ssh.PastTime;
import joshua.ssh.QueryVerb;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code connections}: who is on the bus (REQ-RG-11). */
@Command(name = "connections", description = "Shows who is on the bus, in which state, and why.")
public final class ConnectionsVerb extends QueryVerb {
  @Parameters(arity = "0..1", paramLabel = "NAME", description = "A single participant.")
  private @Nullable String participant;

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "HEALTHY, CONNECTED, STALE, DISCONNECTED; PRESENT: all but the last.")
  private @Nullable String status;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      converter = PastTime.class,
      description = "As it was then: " + PastTime.FORM + ".")
  private @Nullable String at;

  public ConnectionsVerb() {
    super("connections", "participant", "since_at", "why");
  }

  @Override
  protected void arguments(ObjectNode arguments) {
    arguments.put("participant", participant).put("status", status).put("at", at);
  }
}
