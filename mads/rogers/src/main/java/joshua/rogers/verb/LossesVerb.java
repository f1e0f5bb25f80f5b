package joshua.rogers.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code losses}: whether messages were lost (+RG-17). */
@Command(name = "losses", description = "Says whether messages were lost: whose, and why.")
public final class LossesVerb extends SpanVerb {
  @Parameters(arity = "0..1", paramLabel = "NAME", description = "Those of one client.")
  private @Nullable String participant;

  public LossesVerb() {
    super("losses", "last_at", "what", "messages", "subject", "detail");
  }

  @Override
  protected void arguments(ObjectNode arguments) {
    super.arguments(arguments);
    arguments.put("participant", participant);
  }
}
