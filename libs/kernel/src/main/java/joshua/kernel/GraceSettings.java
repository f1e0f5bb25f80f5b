package joshua.kernel;

import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Further settings of Grace: how clients reach several Graces, and what clients may follow. */
public final class GraceSettings {
  /** The maximum number of Graces that a bridge holds connections to. */
  static final int MAX_URLS = 16;

  private static final String RULE =
      "must be at most %d URLs such as http://host:8000, separated by commas, each host and port once"
          .formatted(MAX_URLS);

  public static final Setting<List<String>> URLS =
      Setting.list(
              "grace-urls",
              null,
              "Where several Graces on one bus listen, for the stdio bridge, spelled the same at every bridge; each client's queue is at one of them.")
          .checked(urls -> areGraces(urls) ? Optional.empty() : Optional.of(RULE));

  /** With this many, Redis still publishes at four fifths of its rate (decision 15). */
  public static final int GLOBS = 64;

  public static final Setting<Integer> TOPIC_LIMIT =
      Setting.numberOrReckoned(
          "grace-topic-limit",
          1,
          60_000,
          "topics",
          "How many topics all clients follow together, one counted for each client; then it is shared fairly, and refused. By default 60 000, less where the heap is below 512 MiB.");
  public static final Setting<Integer> GLOB_LIMIT =
      Setting.number(
          "grace-glob-limit",
          GLOBS,
          1,
          900,
          "globs",
          "How many different globs all clients follow together; Redis holds every message against each.");

  private GraceSettings() {}

  static List<Setting<?>> subscriptions() {
    return List.of(TOPIC_LIMIT, GLOB_LIMIT);
  }

  /** Where the bridge connects to: one of {@link #URLS} as the WebSocket endpoint for MCP. */
  public static URI endpoint(String url) {
    URI uri = URI.create(url);
    boolean secure = uri.getScheme().matches("(?i)https|wss");
    int port = uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80;
    String path = uri.getPath().isEmpty() || uri.getPath().equals("/") ? "/mcp" : uri.getPath();
    return URI.create(
        "%s://%s:%d%s"
            .formatted(secure ? "wss" : "ws", uri.getHost().toLowerCase(Locale.ROOT), port, path));
  }

  private static boolean areGraces(List<String> urls) {
    Set<String> places = new HashSet<>();
    return !urls.isEmpty()
        && urls.size() <= MAX_URLS
        && urls.stream().allMatch(url -> isGrace(url) && places.add(endpoint(url).getAuthority()));
  }

  private static boolean isGrace(String url) {
    try {
      URI uri = URI.create(url);
      return uri.getScheme() != null
          && uri.getScheme().matches("(?i)https?|wss?")
          && uri.getHost() != null
          && uri.getPort() <= 65_535
          && uri.getPort() != 0
          && uri.getUserInfo() == null
          && uri.getQuery() == null
          && uri.getFragment() == null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
