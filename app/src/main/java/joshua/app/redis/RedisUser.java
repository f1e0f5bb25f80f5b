package joshua.app.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import joshua.network.TokenFile;

/** The Redis ACL of a participant: Pub/Sub on the bus; no keys, scripts or administration. */
public final class RedisUser {
  private static final String COMMANDS =
      """
      -@all +publish +subscribe +unsubscribe +psubscribe +punsubscribe +pubsub \
      +ping +echo +info +hello +auth +quit +reset \
      +client|setname +client|getname +client|id +command|docs +command|count\
      """;

  private RedisUser() {}

  /**
   * The user of a program that may do everything on {@code mad.*}. Redis compares the pattern of a
   * PSUBSCRIBE with the permitted ones letter by letter, so that {@code mad.topic.*} would not be
   * covered by {@code mad.*}; therefore PSUBSCRIBE has a selector of its own in which all patterns
   * are permitted. That lets the user overhear nothing: no client can publish outside {@code
   * mad.*}.
   */
  static String ofOthers(String passwordHash) {
    return line("default", passwordHash, List.of("mad.*")) + " (&* -@all +psubscribe)";
  }

  /** The user of a service, with the channels that it publishes to and subscribes to. */
  static String line(String name, String passwordHash, List<String> channels) {
    return "user %s on #%s resetkeys resetchannels %s %s"
        .formatted(
            name,
            passwordHash,
            channels.stream().map(channel -> "&" + channel).collect(Collectors.joining(" ")),
            COMMANDS);
  }

  /**
   * The users of a group whose services run by themselves: one for each, and {@code default} for
   * other programs on the bus. They have one password.
   */
  public static String file(Map<String, List<String>> channelsOfServices, String password) {
    String hash = TokenFile.hash(password);
    List<String> users = new ArrayList<>(List.of(ofOthers(hash)));
    channelsOfServices.forEach((service, channels) -> users.add(line(service, hash, channels)));
    return String.join("\n", users) + "\n";
  }
}
