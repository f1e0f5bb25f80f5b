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
 * How a database is, as its threads have last found it. Trouble passes with the next commit that
 * succeeds; damage stays until the file is opened anew, because what is whole of it says nothing
 * about the rest.
 */
final class DatabaseHealth {
  /** Room on a disk that was full, below which it still counts as full. */
  static final long ROOM_AGAIN = 4L << 20;

  /** After a line in the log, coming and going again is not worth another for so long. */
  static final Duration QUIET = Duration.ofSeconds(10);

  private static final Logger log = LoggerFactory.getLogger(DatabaseHealth.class);

  private final SqliteErrors sqliteErrors;
  private final AtomicInteger failures = new AtomicInteger();
  private volatile @Nullable String trouble;
  private volatile @Nullable String damage;
  private volatile boolean full;

  // The writing thread's own.
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

  /** Whether nothing is written because the disk has no room. */
  boolean isFull() {
    return full;
  }

  /** How many commits, or what had to precede them, have failed so far. */
  int failures() {
    return failures.get();
  }

  /** Notes that a commit, or what had to precede it, failed. */
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

  /** Notes damage, if that is what the fault tells of, and nothing else. */
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
   * Notes that something was written. On a disk that is nearly full a little may go where something
   * else was before: that it was written doesn't say that more can be.
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
