package joshua.network;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.kernel.Timestamps;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The authorization rules, the same for every protocol (wire contract §3, "Roles").
 *
 * @param serviceNames names reserved for services; no client, token or key may have one
 */
public record Access(Set<String> serviceNames) {
  /** The name of the logger for the audit log, which the program writes to a file of its own. */
  public static final String AUDIT_LOGGER = "joshua.audit";

  private static final Logger audit = LoggerFactory.getLogger(AUDIT_LOGGER);

  /** The refusal of a call for which the caller's role is too low. */
  public static Optional<Refusal> refuseCall(Caller caller, Tool<?> tool) {
    return caller.role().includes(tool.role())
        ? Optional.empty()
        : Optional.of(
            forbidden(
                "%s needs the role %s, and the caller's is %s."
                    .formatted(tool.name(), tool.role().word(), caller.role().word())));
  }

  /** Whether a name is reserved for a service. */
  public boolean isService(String name) {
    return serviceNames.contains(name);
  }

  /** The refusal of a caller that may not act under a name; {@code member} is the input's. */
  public Optional<Refusal> refuseActingAs(Caller caller, String member, String name) {
    if (isService(name)) {
      return Optional.of(
          forbidden("%s must not be %s, which is a service's name.".formatted(member, name)));
    }
    return caller
        .identity()
        .filter(identity -> !identity.equals(name))
        .map(identity ->
            forbidden(
                "%s must be %s, which your token or key stands for.".formatted(member, identity)));
  }

  private static Refusal forbidden(String sentence) {
    return Refusal.of(ErrorCode.FORBIDDEN, sentence);
  }

  /** The only requester whose tasks and rows a caller may see; empty for no restriction. */
  public static Optional<String> scope(Caller caller) {
    return caller.role().includes(Role.OPERATOR)
        ? Optional.empty()
        : Optional.of(caller.identity().orElse(""));
  }

  /** Logs a refused caller to the audit log, as a line of JSON. */
  public static void audit(String event, String by, String what) {
    String at = Timestamps.format(Instant.now());
    audit.info(
        "{}", Json.object().put("at", at).put("event", event).put("by", by).put("what", what));
  }

  /** The refusal of a caller without a valid token. */
  public static Refusal unauthenticated() {
    return Refusal.of(
        ErrorCode.UNAUTHENTICATED,
        "A token is needed here: Authorization: Bearer <token>, of one in the tokens file.");
  }
}
