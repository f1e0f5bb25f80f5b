package joshua.kernel;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The clients that may read direct messages between others when tokens are in force: admins, and
 * those that {@code JOSHUA_DIRECT_READERS} names. Without tokens callers are anonymous, and every
 * caller may.
 */
public record DirectReaders(Set<String> clientIds) {
  /** The maximum number of names. */
  static final int MOST = 1_000;

  public static final Setting<List<String>> SETTING =
      Setting.list(
              "direct-readers",
              null,
              "Client ids that may read direct messages between others, as admins may; where no tokens are in force everybody may.")
          .checked(ids ->
              ids.size() <= MOST && ids.stream().allMatch(BusIdentifiers::isIdentifier)
                  ? Optional.empty()
                  : Optional.of(
                      "must be at most %d client ids, separated by commas, each of which %s"
                          .formatted(MOST, BusIdentifiers.IDENTIFIER_RULE)));

  /** Admins only. */
  public static final DirectReaders ADMINS = new DirectReaders(Set.of());

  public DirectReaders {
    clientIds = Set.copyOf(clientIds);
  }

  public static DirectReaders from(Settings settings) {
    return settings.find(SETTING).map(ids -> new DirectReaders(Set.copyOf(ids))).orElse(ADMINS);
  }

  /** Whether a caller may read them; {@code identity} is empty when no tokens are in force. */
  public boolean include(Optional<String> identity, Role role) {
    return identity.isEmpty() || role == Role.ADMIN || clientIds.contains(identity.get());
  }
}
