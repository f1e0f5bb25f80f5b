package joshua.ssh;

import java.net.InetAddress;
import java.time.Instant;
import java.util.Optional;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Role;

/**
 * A key that may log in, with its options.
 *
 * @param comment the text after the key, often its owner
 * @param from where the client may connect from; empty for anywhere
 * @param expires when the key stops being accepted
 * @param terminal whether the client may request a terminal
 */
public record AuthorizedKey(
    SshKey key,
    Optional<String> comment,
    Role role,
    Optional<AddressPatterns> from,
    Optional<Instant> expires,
    boolean terminal) {

  /**
   * The name of its owner: the comment if that is an identifier, otherwise derived from the
   * fingerprint.
   */
  public String name() {
    return comment.filter(BusIdentifiers::isIdentifier).orElseGet(key::shortName);
  }

  /** Whether a client at this address may log in with it now. */
  public boolean admits(InetAddress address, Instant now) {
    return from.map(patterns -> patterns.have(address)).orElse(true)
        && expires.map(now::isBefore).orElse(true);
  }
}
