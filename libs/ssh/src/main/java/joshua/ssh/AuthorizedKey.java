package joshua.ssh;

import java.net.InetAddress;
import java.time.Instant;
import java.util.Optional;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Role;

/**
 * A key that may log in, with what its line says of it.
 *
 * @param comment what stands behind the key, often whose it is
 * @param from where it may come from; empty for anywhere
 * @param expires from when on it isn't taken any more
 * @param terminal whether it may ask for one
 */
public record AuthorizedKey(
    SshKey key,
    Optional<String> comment,
    Role role,
    Optional<AddressPatterns> from,
    Optional<Instant> expires,
    boolean terminal) {

  /** Who logs in with it: the comment if that is an identifier, else made of its fingerprint. */
  public String name() {
    return comment.filter(BusIdentifiers::isIdentifier).orElseGet(key::shortName);
  }

  /** Whether it lets somebody in who comes from there now. */
  public boolean admits(InetAddress address, Instant now) {
    return from.map(patterns -> patterns.have(address)).orElse(true)
        && expires.map(now::isBefore).orElse(true);
  }
}
