package joshua.app.doctor;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.redis.RedisAddress;
import joshua.conversation.redis.RedisDiagnostics;

/**
 * Checks the Redis that is the bus: it can be reached, is closed to unauthenticated clients,
 * permits what we need, and has settings that hold under load.
 *
 * @param embedded whether it is the group's own, with our settings
 * @param program that it is, if the group reports it
 * @param envelopeLimit the largest message, in bytes
 */
public record RedisCheck(
    RedisAddress address,
    boolean embedded,
    Optional<String> program,
    long envelopeLimit,
    InstantSource time)
    implements HealthCheck {
  private static final String CHECK = "redis";
  private static final String RIGHTS = "redis rights";
  private static final String SETTINGS = "redis settings";
  private static final Duration CLOCKS_APART = Duration.ofSeconds(2);
  private static final int OLDEST = 7;

  /** How many of the largest messages may wait for a reader that is slow for a moment. */
  private static final int LARGEST_THAT_WAIT = 64;

  /** A group has a dozen connections, and monitoring tools need some. */
  private static final int CONNECTIONS_NEEDED = 20;

  /**
   * Replaces the check if there is no address to check.
   *
   * @param waits whether it belongs to a group that isn't running now
   * @param why sentences; the last says what to do
   */
  public static HealthCheck unknown(boolean waits, String why) {
    return () ->
        List.of(
            waits
                ? CheckFinding.leftOut(CHECK, "the embedded one runs when the group does")
                : CheckFinding.bad(CHECK, why));
  }

  /** Replaces the check if this command doesn't know where Redis is. */
  public static HealthCheck unknown(String why) {
    return () -> List.of(CheckFinding.leftOut(CHECK, why));
  }

  @Override
  public List<CheckFinding> look() throws InterruptedException {
    try {
      return findings(RedisDiagnostics.look(address, RedisUser.needs(address.user()), time));
    } catch (BusUnavailableException e) {
      return List.of(
          CheckFinding.bad(
              CHECK,
              String.valueOf(e.getMessage()),
              embedded
                  ? "Look at the group's log, and start it again if Redis doesn't come back by"
                      + " itself."
                  : "Start that Redis, or correct JOSHUA_REDIS_URL, JOSHUA_REDIS_PASSWORD_FILE and"
                      + " JOSHUA_REDIS_CA_FILE."));
    }
  }

  private List<CheckFinding> findings(RedisDiagnostics.Found found) {
    List<CheckFinding> findings = new ArrayList<>();
    findings.add(
        CheckFinding.ok(
            CHECK,
            "%s answers within %d ms%s"
                .formatted(
                    address.describe(),
                    found.answersWithin().toMillis(),
                    program.map(what -> "; it is " + what).orElse(""))));
    if (found.open()) {
      findings.add(
          CheckFinding.bad(
              CHECK,
              "It lets in whoever comes, without a password.",
              "Give its default user one, or turn it off: ACL SETUSER default off."));
    }
    findings.add(
        found.forbidden().isEmpty()
            ? CheckFinding.ok(RIGHTS, "the user may do what " + RedisUser.does(address.user()))
            : CheckFinding.bad(
                RIGHTS,
                "The user %s may not %s."
                    .formatted(address.user(), String.join(", ", found.forbidden())),
                RedisUser.remedy(address.user())));
    settings(found, findings);
    findings.add(clock(found.ahead()));
    return findings;
  }

  private void settings(RedisDiagnostics.Found found, List<CheckFinding> findings) {
    if (embedded) {
      findings.add(CheckFinding.ok(SETTINGS, "the embedded Redis has those of Joshua"));
      return;
    }
    if (found.told().isEmpty()) {
      findings.add(
          CheckFinding.leftOut(
              SETTINGS, "the user may not read them; ask whoever runs that Redis"));
      return;
    }
    RedisFigures figures = new RedisFigures(found.told());
    int before = findings.size();
    figures
        .majorVersion()
        .filter(version -> version < OLDEST)
        .ifPresent(version ->
            findings.add(
                CheckFinding.warning(
                    SETTINGS,
                    "It is Redis %d.".formatted(version),
                    "Use Redis %d or newer: Joshua is tried with no older one."
                        .formatted(OLDEST))));
    buffer(figures, findings);
    figures
        .freeConnections()
        .filter(free -> free < CONNECTIONS_NEEDED)
        .ifPresent(free ->
            findings.add(
                CheckFinding.warning(
                    SETTINGS,
                    "It takes %d more connections before maxclients is reached.".formatted(free),
                    "Raise maxclients, or find out who holds so many (CLIENT LIST).")));
    if (findings.size() == before) {
      findings.add(CheckFinding.ok(SETTINGS, "what can be read of them is good"));
    }
  }

  private void buffer(RedisFigures figures, List<CheckFinding> findings) {
    long needed = LARGEST_THAT_WAIT * envelopeLimit;
    figures
        .publishedBuffer()
        .filter(limit -> limit > 0 && limit < needed)
        .ifPresent(limit ->
            findings.add(
                CheckFinding.warning(
                    SETTINGS,
                    "It closes a subscriber's connection once %s wait for it; %d of the largest messages are %s."
                        .formatted(
                            ByteSizes.text(limit), LARGEST_THAT_WAIT, ByteSizes.text(needed)),
                    "CONFIG SET client-output-buffer-limit \"pubsub 256mb 64mb 60\", and the same"
                        + " in redis.conf.")));
  }

  private static CheckFinding clock(Optional<Duration> ahead) {
    String check = "redis clock";
    if (ahead.isEmpty()) {
      return CheckFinding.leftOut(check, "the user may not ask for its time");
    }
    long millis = ahead.get().toMillis();
    String found = "%d ms %s ours".formatted(Math.abs(millis), millis < 0 ? "behind" : "ahead of");
    return ahead.get().abs().compareTo(CLOCKS_APART) > 0
        ? CheckFinding.warning(
            check,
            "It is %s.".formatted(found),
            "Set both machines' clocks by NTP (timedatectl set-ntp true).")
        : CheckFinding.ok(check, found);
  }
}
