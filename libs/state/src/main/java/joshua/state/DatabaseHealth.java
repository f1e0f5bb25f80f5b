package joshua.state;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The health of a database, as its threads last found it. Write failures clear with the next commit
 * that succeeds; damage stays until the file is reopened, because a successful access to one part
 * says nothing about the rest.
 */
final class DatabaseHealth {
  /** Free space below which a disk that was full still counts as full. */
  static final long ROOM_AGAIN = 4L << 20;

  /** Minimum time between log lines about trouble that comes and goes. */
  static final Duration QUIET = Duration.ofSeconds(10);

  private static final Logger log = LoggerFactory.getLogger(DatabaseHealth.class);

  private final SqliteErrors sqliteErrors;
  private final AtomicInteger failures = new AtomicInteger();
  private volatile @Nullable String trouble;
  private volatile @Nullable String damage;
  private volatile boolean full;

  // Confined to the writing thread.
  private long saidAt = System.nanoTime() - QUIET.toNanos();
  private boolean said;

  DatabaseHealth(SqliteErrors sqliteErrors) {
    this.sqliteErrors = sqliteErrors;
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

  /** Whether writing fails because the disk is full. */
  boolean isFull() {
    return full;
  }

  /** The number of commits, or preparations for them, that have failed so far. */
  int failures() {
    return failures.get();
  }

  /** Records that a commit, or a preparation for it, failed. */
  StoreUnavailableException failed(SQLException fault) {
    StoreUnavailableException why = seen(fault);
    failures.incrementAndGet();
    full = SqliteErrors.isFull(fault);
    if (trouble == null && System.nanoTime() - saidAt >= QUIET.toNanos()) {
      log.error("{}", why.getMessage(), fault);
      said = true;
      saidAt = System.nanoTime();
    }
    trouble = why.getMessage();
    return why;
  }

  /** Records damage, if the error reports that, and nothing else. */
  StoreUnavailableException seen(SQLException fault) {
    StoreUnavailableException why = sqliteErrors.unavailable(fault);
    if (SqliteErrors.isDamage(fault)) {
      if (damage == null) {
        log.error("{}", why.getMessage(), fault);
      }
      damage = why.getMessage();
    }
    return why;
  }

  /**
   * Records that something was written. On a disk that is nearly full a small write may reuse free
   * pages: its success doesn't mean that more can be written.
   */
  void well() {
    if (trouble == null || (full && !hasRoom())) {
      return;
    }
    trouble = null;
    full = false;
    if (said) {
      log.info("Database {} can be written to again", sqliteErrors.file());
      said = false;
      saidAt = System.nanoTime();
    }
  }

  private boolean hasRoom() {
    try {
      return Files.getFileStore(sqliteErrors.file()).getUsableSpace() >= ROOM_AGAIN;
    } catch (IOException e) {
      return true;
    }
  }
}
