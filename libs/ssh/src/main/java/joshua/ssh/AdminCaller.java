package joshua.ssh;

import java.util.Optional;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Role;

/**
 * The caller of a verb and its permissions.
 *
 * @param name an identifier: the key's comment if it is one, otherwise derived from the key's
 *     fingerprint
 * @param fingerprint of the caller's key, {@code SHA256:…}; empty for the owner of the data
 *     directory, who connects through its socket
 * @param from where the caller connects from, for instance an address with its port
 * @param sessionId identifies the session in logs and limits; unique in this process
 */
public record AdminCaller(
    String name, Role role, Optional<String> fingerprint, String from, String sessionId) {
  public AdminCaller {
    if (!BusIdentifiers.isIdentifier(name)) {
      throw new IllegalArgumentException("name " + BusIdentifiers.IDENTIFIER_RULE);
    }
  }
}
