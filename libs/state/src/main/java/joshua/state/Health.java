package joshua.state;

import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a database is, as its threads have last found it. Trouble passes with the next commit that
 * succeeds; damage stays until the file is opened anew, because what is whole of it says nothing
 * about the rest.
 */
final class Health {
  private static final Logger log = LoggerFactory.getLogger(Health.class);

  private final Faults faults;
  private volatile @Nullable String trouble;
  private volatile @Nullable String damage;

  Health(Faults faults) {
    this.faults = faults;
  }

  /** What is wrong, as a sentence; empty if all is well. */
  Optional<String> problem() {
    String lasting = damage;
    return Optional.ofNullable(lasting == null ? trouble : lasting);
  }

  /** Whether the last commit failed. */
  boolean isTroubled() {
    return trouble != null;
  }

  /** Notes that a commit, or what had to precede it, failed. */
  StoreUnavailable failed(SQLException fault) {
    StoreUnavailable why = seen(fault);
    if (trouble == null) {
      log.error("{}", why.getMessage(), fault);
    }
    trouble = why.getMessage();
    return why;
  }

  /** Notes damage, if that is what the fault tells of, and nothing else. */
  StoreUnavailable seen(SQLException fault) {
    StoreUnavailable why = faults.unavailable(fault);
    if (Faults.isDamage(fault)) {
      if (damage == null) {
        log.error("{}", why.getMessage(), fault);
      }
      damage = why.getMessage();
    }
    return why;
  }

  /** Notes a commit. */
  void well() {
    if (trouble != null) {
      log.info("Database {} can be written to again", faults.file());
      trouble = null;
    }
  }
}
