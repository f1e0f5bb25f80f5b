package joshua.kernel;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Who may read direct messages between others where tokens are in force: admins, and the clients
 * that {@code JOSHUA_DIRECT_READERS} names. Without tokens nobody is known, and everybody may.
 */
public record DirectReaders(Set<String> clientIds) {
  /** The most that can be named. */
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

  /** Admins alone. */
  public static final DirectReaders ADMINS = new DirectReaders(Set.of());

  public DirectReaders {
    clientIds = Set.copyOf(clientIds);
  }

  public static DirectReaders from(Settings settings) {
    return settings.find(SETTING).map(ids -> new DirectReaders(Set.copyOf(ids))).orElse(ADMINS);
  }

  /** Whether a caller may; {@code identity} is empty where no tokens are in force. */
  public boolean include(Optional<String> identity, Role role) {
    return identity.isEmpty() || role == Role.ADMIN || clientIds.contains(identity.get());
  }
}
