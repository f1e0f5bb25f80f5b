package joshua.app.doctor;

import java.util.List;
import joshua.conversation.ChannelPattern;
import joshua.conversation.redis.RedisDiagnostics;

/**
 * The permissions that a Redis user needs, by the user names that {@code ./joshua init} creates.
 * Any other user is treated as a relay's, which may be any MAD's.
 */
final class RedisUser {
  private static final String PRESENCE = "mad.system.presence";

  /** The permissions of a MAD, as ACL SETUSER takes them. */
  private static final String RULES =
      "&mad.* +publish +subscribe +unsubscribe +psubscribe +punsubscribe +pubsub +ping +hello +auth +client|setname (&* -@all +psubscribe)";

  private RedisUser() {}

  static RedisDiagnostics.Needs needs(String user) {
    return switch (user) {
      case "fiedler" -> own(user, List.of(), false);
      case "rogers" -> own(user, List.of(ChannelPattern.ALL.text()), true);
      case "guest" -> RedisDiagnostics.Needs.RELAY.withoutFigures();
      default -> RedisDiagnostics.Needs.RELAY;
    };
  }

  private static RedisDiagnostics.Needs own(String mad, List<String> patterns, boolean figures) {
    return new RedisDiagnostics.Needs(List.of("mad.direct." + mad, PRESENCE), patterns, figures);
  }

  /** What to do if a permission is missing, a sentence. */
  static String remedy(String user) {
    return switch (user) {
      case "grace", "fiedler", "rogers", "guest" ->
          "If ./joshua init made that user: delete configs/redis/users.acl, run ./joshua init and restart Redis.";
      default -> "Give it what is missing: ACL SETUSER name " + RULES;
    };
  }

  /** The service that works as this user, with a verb. */
  static String does(String user) {
    return switch (user) {
      case "fiedler" -> "Fiedler does";
      case "rogers" -> "Rogers does";
      case "guest" -> "a participant by hand does";
      default -> "a MAD does";
    };
  }
}
