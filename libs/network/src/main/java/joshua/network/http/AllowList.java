package joshua.network.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The hosts that requests may be addressed to and the web origins they may come from: protection
 * against web pages that reach for services on their visitor's own machine (+JN-03).
 */
final class AllowList {
  private final Set<String> hosts;
  private final Set<String> origins;

  AllowList(List<String> hosts, List<String> origins) {
    this.hosts = lowerCase(hosts);
    this.origins = lowerCase(origins);
  }

  /** The sentence of a refusal, if the request is one. */
  Optional<String> problem(@Nullable String host, @Nullable String origin) {
    if (host == null || !hosts.contains(name(host))) {
      return Optional.of(
          "Requests may not be addressed to the host that this one names; JOSHUA_ALLOWED_HOSTS"
              + " lists those that are allowed.");
    }
    if (origin != null && !isAllowed(origin.toLowerCase(Locale.ROOT))) {
      return Optional.of(
          "Requests from this web origin are not allowed; JOSHUA_ALLOWED_ORIGINS lists those that"
              + " are.");
    }
    return Optional.empty();
  }

  private boolean isAllowed(String origin) {
    if (origins.contains(origin)) {
      return true;
    }
    try {
      String host = new URI(origin).getHost();
      return host != null && origins.contains(host);
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /** The host without its port; an IPv6 address keeps its brackets. */
  private static String name(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    int colon = lower.lastIndexOf(':');
    return colon > lower.lastIndexOf(']') ? lower.substring(0, colon) : lower;
  }

  private static Set<String> lowerCase(List<String> names) {
    return names.stream()
        .map(name -> name.toLowerCase(Locale.ROOT))
        .collect(Collectors.toUnmodifiableSet());
  }
}
