package joshua.network.http;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The sessions of a page's visitors, each for a token, in memory: they end after some hours without
 * use, with a restart, and with their token, which is checked at each call. Locked by itself.
 */
final class PageSessions {
  private static final int MAX_SESSIONS = 1_000;
  private static final int MAX_OF_ONE_TOKEN = 100;
  private static final int ID_BYTES = 32;
  private static final Duration IDLE = Duration.ofHours(12);
  private static final Duration CODE_LIFE = Duration.ofSeconds(60);

  private record Session(String token, Instant until, boolean isCode) {}

  private final InstantSource time;
  private final SecureRandom random = new SecureRandom();

  /** By id, the least recently used first. */
  private final Map<String, Session> sessions = new LinkedHashMap<>(16, 0.75f, true);

  PageSessions(InstantSource time) {
    this.time = time;
  }

  /** The id of a new session. */
  synchronized String open(String token) {
    return add(new Session(token, time.instant().plus(IDLE), false));
  }

  /** A code by which a session can be opened once, within a minute. */
  synchronized String code(String token) {
    return add(new Session(token, time.instant().plus(CODE_LIFE), true));
  }

  private String add(Session session) {
    // Many of one visitor end that visitor's oldest, and nobody else's.
    endOldest(MAX_OF_ONE_TOKEN, each -> each.token().equals(session.token()));
    endOldest(MAX_SESSIONS, _ -> true);
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    sessions.put(id, session);
    return id;
  }

  private void endOldest(int most, Predicate<Session> of) {
    List<Session> found = sessions.values().stream().filter(of).toList();
    if (found.size() >= most) {
      sessions.values().remove(found.getFirst());
    }
  }

  /** The token that a code stands for, which is used up. */
  synchronized Optional<String> redeem(String code) {
    return valid(code, true)
        .map(session -> {
          sessions.remove(code);
          return session.token();
        });
  }

  /** The token of a session, which thereby is used. */
  synchronized Optional<String> token(String id) {
    return valid(id, false)
        .map(session -> {
          sessions.put(id, new Session(session.token(), time.instant().plus(IDLE), false));
          return session.token();
        });
  }

  private Optional<Session> valid(String id, boolean isCode) {
    return Optional.ofNullable(sessions.get(id))
        .filter(session -> session.isCode() == isCode && time.instant().isBefore(session.until()));
  }

  synchronized void end(String id) {
    sessions.remove(id);
  }
}
