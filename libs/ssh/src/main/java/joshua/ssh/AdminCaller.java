package joshua.ssh;

import java.util.Optional;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Role;

/**
 * Who runs a verb, and what he may do.
 *
 * @param name an identifier: the comment of his key where that is one, else made of its fingerprint
 * @param fingerprint of his key, {@code SHA256:…}; empty for the owner of the data directory, who
 *     comes by its socket
 * @param from where he comes from, an address with its port for instance
 * @param sessionId names the session for logs and limits, unique in this process
 */
public record AdminCaller(
    String name, Role role, Optional<String> fingerprint, String from, String sessionId) {
  public AdminCaller {
    if (!BusIdentifiers.isIdentifier(name)) {
      throw new IllegalArgumentException("name " + BusIdentifiers.IDENTIFIER_RULE);
    }
  }
}
