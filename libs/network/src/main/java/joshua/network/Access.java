package joshua.network;

import java.util.Optional;
import java.util.Set;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.kernel.Role;

/**
 * Who may do what: the one place that every protocol asks (wire contract §3, "Roles").
 *
 * @param serviceNames names that services alone bear; no client, token or key may have one
 */
public record Access(Set<String> serviceNames) {

  /** Why a caller may not call a tool, if so. */
  public static Optional<Refusal> toCall(Caller caller, Tool<?> tool) {
    return caller.role().includes(tool.role())
        ? Optional.empty()
        : Optional.of(
            forbidden(
                "%s needs the role %s, and the caller's is %s."
                    .formatted(tool.name(), tool.role().word(), caller.role().word())));
  }

  /** Whether a name is one that services alone bear. */
  public boolean isService(String name) {
    return serviceNames.contains(name);
  }

  /** Why a caller may not act as somebody, if so; the name is a member of its input. */
  public Optional<Refusal> toActAs(Caller caller, String member, String name) {
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

  /** Whose tasks and rows alone a caller may see; empty for anybody's. */
  public static Optional<String> toSeeOnly(Caller caller) {
    return caller.role().includes(Role.OPERATOR)
        ? Optional.empty()
        : Optional.of(caller.identity().orElse(""));
  }

  /** The refusal of somebody who shows no token that is known. */
  public static Refusal unauthenticated() {
    return Refusal.of(
        ErrorCode.UNAUTHENTICATED,
        "A token is needed here: Authorization: Bearer <token>, of one in the tokens file.");
  }
}
