package joshua.network.bridge;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;

/**
 * The choice of a client's home, the instance of a MAD that has its queue: rendezvous hashing. An
 * instance's rank for a client is the SHA-256 of the client's id, a line feed and the instance's
 * name, in UTF-8; the instance with the highest digest, read as a number, is the home. So every
 * bridge that knows the same instances finds the same home, in whatever order they are named, and
 * adding or removing an instance moves only the clients whose home it becomes or was.
 */
public final class RendezvousHash {
  private RendezvousHash() {}

  /** The instances, a client's home first. */
  public static <T> List<T> ranked(String client, List<T> instances, Function<T, String> name) {
    return instances.stream()
        .sorted(Comparator.comparing((T instance) -> rank(client, name.apply(instance))).reversed())
        .toList();
  }

  private static String rank(String client, String name) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest((client + "\n" + name).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
