package joshua.network.http;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The allowed hosts and web origins of requests: protection against web pages that access services
 * on their visitor's machine (+JN-03).
 */
final class AllowedHosts {
  /** Always allowed: no other host has these names. */
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private static final Pattern PORT = Pattern.compile(":\\d*$");
  private static final Pattern ORIGIN =
      Pattern.compile("https?://(\\[[^\\[\\]/@]+\\]|[^\\[\\]/:@]+)(:\\d+)?");

  private final Set<String> hosts = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
  private final Set<String> origins = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

  AllowedHosts(List<String> hosts, List<String> origins) {
    this.hosts.addAll(LOOPBACK);
    this.hosts.addAll(hosts);
    this.origins.addAll(origins);
  }

  /** The sentence of a refusal, if the request is one. */
  Optional<String> problem(@Nullable String host, @Nullable String origin) {
    if (host == null || !hosts.contains(PORT.matcher(host).replaceFirst(""))) {
      return Optional.of(
          "The host that this request is addressed to isn't one of JOSHUA_ALLOWED_HOSTS.");
    }
    if (origin != null && !isOwn(origin, host) && !isAllowed(origin)) {
      return Optional.of(
          "The web origin that this request comes from isn't one of JOSHUA_ALLOWED_ORIGINS.");
    }
    return Optional.empty();
  }

  /** Whether the origin of a request is the host that it is addressed to, with the same port. */
  static boolean isOwn(@Nullable String origin, @Nullable String host) {
    return ("http://" + host).equals(origin) || ("https://" + host).equals(origin);
  }

  private boolean isAllowed(String origin) {
    Matcher web = ORIGIN.matcher(origin);
    return origins.contains(origin) || (web.matches() && origins.contains(web.group(1)));
  }
}
