package joshua.ssh.mina;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import joshua.ssh.AuditLog;
import org.jspecify.annotations.Nullable;

/**
 * Recent failed logins by address: the delay before the next rejection, and what the audit log
 * records. An IPv6 address counts by its first 64 bits, typically one household. All of it is
 * guarded by {@code lock}.
 */
final class FailedLogins {
  /**
   * The maximum number of addresses; beyond it, the one without failures for the longest is
   * dropped.
   */
  static final int ADDRESSES = 1_024;

  /** The delay of an address's first rejection; each further one doubles it. */
  static final Duration FIRST_DELAY = Duration.ofMillis(250);

  /** The maximum delay. */
  static final Duration LONGEST_DELAY = Duration.ofSeconds(4);

  /** How long it takes until one failure is forgotten. */
  static final Duration FORGOTTEN_AFTER = Duration.ofSeconds(10);

  /** The failures of an address within this time are combined into one record. */
  static final Duration RECORDED_EVERY = Duration.ofSeconds(10);

  private static final int MAX_FAILURES = 16;
  private static final String ELSEWHERE = "many addresses";

  /**
   * A failed login.
   *
   * @param from the client's address and port
   * @param who the login name that it claimed
   */
  record Failure(String from, String who, Optional<String> fingerprint, String why) {}

  private static final class Failures {
    private double recent;
    private Instant counted;
    private @Nullable Instant recorded;
    private int unrecorded;
    private Failure last;

    Failures(Failure first, Instant now) {
      last = first;
      counted = now;
    }

    void add(Failure failure, Instant now) {
      fade(now);
      recent = Math.min(MAX_FAILURES, recent + 1);
      last = failure;
      unrecorded++;
    }

    void fade(Instant now) {
      double seconds = Math.max(0, Duration.between(counted, now).toMillis() / 1_000.0);
      recent = Math.max(0, recent - seconds / FORGOTTEN_AFTER.toSeconds());
      counted = now;
    }

    boolean due(Instant now) {
      return unrecorded > 0 && (recorded == null || !now.isBefore(recorded.plus(RECORDED_EVERY)));
    }

    AuditLog.Entry entry(Instant now) {
      int times = unrecorded;
      unrecorded = 0;
      recorded = now;
      return new AuditLog.Entry(
          now,
          last.from(),
          last.who(),
          last.fingerprint(),
          Optional.empty(),
          AuditLog.Action.LOGIN_REFUSED,
          times == 1 ? last.why() : "%d times, the last: %s".formatted(times, last.why()),
          "refused");
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final LinkedHashMap<String, Failures> byAddress = new LinkedHashMap<>(16, 0.75f, true);
  private final InstantSource time;
  private final AtomicLong total = new AtomicLong();
  private @Nullable Failures elsewhere;

  FailedLogins(InstantSource time) {
    this.time = time;
  }

  /** Counts a failure and returns how long to delay the answer. */
  Duration add(InetAddress address, Failure failure) {
    total.incrementAndGet();
    Instant now = time.instant();
    lock.lock();
    try {
      Failures failures =
          byAddress.computeIfAbsent(place(address), place -> new Failures(failure, now));
      failures.add(failure, now);
      if (byAddress.size() > ADDRESSES) {
        forgetEldest(now);
      }
      long millis =
          Math.min(
              LONGEST_DELAY.toMillis(),
              (long) (FIRST_DELAY.toMillis() * Math.pow(2, failures.recent - 1)));
      return Duration.ofMillis(Math.max(FIRST_DELAY.toMillis(), millis));
    } finally {
      lock.unlock();
    }
  }

  private void forgetEldest(Instant now) {
    Iterator<Failures> eldest = byAddress.values().iterator();
    Failures gone = eldest.next();
    eldest.remove();
    if (gone.unrecorded > 0) {
      Failure last = gone.last;
      Failure said = new Failure(ELSEWHERE, last.who(), Optional.empty(), last.why());
      Failures others = elsewhere == null ? new Failures(said, now) : elsewhere;
      others.last = said;
      others.unrecorded += gone.unrecorded;
      elsewhere = others;
    }
  }

  /** The records that are due: at most one per address in {@link #RECORDED_EVERY}. */
  List<AuditLog.Entry> due() {
    return take(false);
  }

  /** All failures that haven't been recorded. */
  List<AuditLog.Entry> rest() {
    return take(true);
  }

  private List<AuditLog.Entry> take(boolean all) {
    Instant now = time.instant();
    List<AuditLog.Entry> entries = new ArrayList<>();
    lock.lock();
    try {
      for (Iterator<Map.Entry<String, Failures>> each = byAddress.entrySet().iterator();
          each.hasNext(); ) {
        Failures failures = each.next().getValue();
        if (failures.due(now) || (all && failures.unrecorded > 0)) {
          entries.add(failures.entry(now));
        }
        failures.fade(now);
        if (failures.recent == 0 && failures.unrecorded == 0) {
          each.remove();
        }
      }
      Failures others = elsewhere;
      if (others != null && (others.due(now) || (all && others.unrecorded > 0))) {
        entries.add(others.entry(now));
      }
    } finally {
      lock.unlock();
    }
    return entries;
  }

  private static String place(InetAddress address) {
    byte[] bytes = address.getAddress();
    return address instanceof Inet6Address
        ? Arrays.toString(Arrays.copyOf(bytes, 8))
        : Arrays.toString(bytes);
  }

  /** The number of failures since the start. */
  long total() {
    return total.get();
  }
}
