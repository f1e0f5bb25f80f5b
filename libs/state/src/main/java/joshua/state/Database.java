package joshua.state;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import joshua.kernel.EssentialThread;
import joshua.kernel.ProcessWatchdog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open SQLite file, with one thread that writes and a few that read (REQ-FD-04, +DP-06).
 *
 * <p>The threads are platform threads, because the driver's native calls would pin a virtual
 * thread's carrier while they wait for the disk; callers may be virtual. Several processes may have
 * the same file open. The file must not be read except through SQLite while it is open: closing any
 * other descriptor of it drops SQLite's locks.
 */
public final class Database implements AutoCloseable {
  /** The maximum number of queued writes, and of queued reads; one more is {@code overloaded}. */
  public static final int MOST_WAITING = 1_024;

  static final int READERS = 4;

  private static final Logger log = LoggerFactory.getLogger(Database.class);

  /**
   * A caller's work with a connection, on the database's thread: statements, nothing that waits for
   * anything else. It must not keep the connection or anything made of it, must leave the
   * transaction alone, and must let every SQLException out.
   */
  @FunctionalInterface
  public interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  private final Path file;
  private final SqliteErrors sqliteErrors;
  private final FileIdentity identity;
  private final WorkQueue writes;
  private final WorkQueue reads;
  private final DatabaseHealth databaseHealth;
  private final MeterRegistry meters;
  private final Gauge waiting;
  private final List<Connection> connections = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  private Database(Path file, Connection writing, List<Connection> reading, MeterRegistry meters)
      throws IOException {
    this.file = file;
    identity = new FileIdentity(file);
    String name = String.valueOf(file.getFileName());
    sqliteErrors = new SqliteErrors(file);
    writes = new WorkQueue(MOST_WAITING, sqliteErrors);
    reads = new WorkQueue(MOST_WAITING, sqliteErrors);
    databaseHealth = new DatabaseHealth(sqliteErrors);
    EssentialThread essential = EssentialThread.slow(name + "-writer");
    DatabaseWriter databaseWriter =
        new DatabaseWriter(
            writes,
            writing,
            sqliteErrors,
            new CommitMetrics(meters, name),
            databaseHealth,
            essential);
    threads.add(
        Thread.ofPlatform()
            .daemon()
            .name(essential.name())
            .unstarted(essential.watching(databaseWriter)));
    for (Connection connection : reading) {
      EssentialThread reader = EssentialThread.lifeOnly(name + "-reader-" + threads.size());
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .name(reader.name())
              .unstarted(
                  reader.watching(
                      new DatabaseReader(reads, connection, sqliteErrors, databaseHealth))));
    }
    connections.addAll(reading);
    connections.add(writing);
    this.meters = meters;
    waiting =
        Gauge.builder("joshua.state.waiting", () -> writes.size() + reads.size())
            .description("Writes and reads that wait for a thread of the database")
            .tag("database", name)
            .register(meters);
  }

  /**
   * Opens a database, creates it if needed, and migrates it to the newest schema. After an unclean
   * stop it is checked first.
   *
   * @param migrations all of them, from number 1
   * @throws CannotOpenException with a sentence for the user; the file is then unchanged
   */
  public static Database open(Path file, List<Migration> migrations, MeterRegistry meters)
      throws CannotOpenException {
    Path absolute = file.toAbsolutePath().normalize();
    SqliteErrors sqliteErrors = new SqliteErrors(absolute);
    List<Connection> opened = new ArrayList<>();
    try {
      OwnerOnlyPath.createDirectory(absolute.resolveSibling("."));
      DatabaseCreation.begin(absolute);
      // SQLite opens such a file read-only, and notices at the first write.
      if (!Files.isWritable(absolute)) {
        throw new CannotOpenException(sqliteErrors.readOnly());
      }
      boolean unclean = IntegrityCheck.isDue(absolute);
      Connection writing = DatabaseConnections.writing(absolute);
      opened.add(writing);
      DatabaseSchema databaseSchema = new DatabaseSchema(absolute, migrations);
      databaseSchema.check(writing);
      if (unclean) {
        IntegrityCheck.quick(absolute, writing);
        IntegrityCheck.passed(absolute);
      }
      DatabaseConnections.run(writing, "pragma journal_mode = wal");
      databaseSchema.migrate(writing);
      DatabaseCreation.ended(absolute);
      List<Connection> reading = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        Connection connection = DatabaseConnections.reading(absolute);
        opened.add(connection);
        reading.add(connection);
      }
      Database database = new Database(absolute, writing, reading, meters);
      database.threads.forEach(Thread::start);
      return database;
    } catch (SQLException e) {
      close(opened.reversed(), absolute);
      throw sqliteErrors.cannotOpen(e);
    } catch (CannotOpenException | RuntimeException | Error e) {
      close(opened.reversed(), absolute);
      throw e;
    } catch (IOException e) {
      close(opened.reversed(), absolute);
      throw new CannotOpenException(
          "Database %s can't be opened (%s). Make the file and its directory readable and writable for the user that Joshua runs as."
              .formatted(absolute, e),
          e);
    }
  }

  public Path file() {
    return file;
  }

  /**
   * Runs work that writes, in one transaction with other callers' (each in a savepoint of its own),
   * and returns when it is on disk.
   *
   * @throws StoreUnavailableException if it couldn't be done or made durable; nothing of it is
   *     written
   * @throws StatementRefusedException if SQLite refused a statement because of its content; nothing
   *     is written
   * @throws InterruptedException if interrupted; work that had begun may be written nevertheless
   */
  public <T> T write(Work<T> work) throws StoreUnavailableException, InterruptedException {
    return writes.call(work);
  }

  /**
   * Runs work that reads, on one snapshot of the committed data.
   *
   * @throws StoreUnavailableException if the file can't be read, or the queue is full
   * @throws StatementRefusedException if SQLite refused a statement, for instance because it writes
   */
  public <T> T read(Work<T> work) throws StoreUnavailableException, InterruptedException {
    return reads.call(work);
  }

  /**
   * As {@link #read(Work)}, but with a time limit, so that an expensive read doesn't keep the
   * reading threads from all others.
   *
   * @param most the time that SQLite may spend, not counting the wait for a thread
   * @throws ReadTooLongException if the read exceeded the limit
   */
  public <T> T read(Duration most, Work<T> work)
      throws StoreUnavailableException, InterruptedException {
    return reads.call(TimeLimit.on(work, most));
  }

  /**
   * Why writing currently fails, or that the file was found damaged, or was deleted or replaced
   * while open, as a sentence; empty if all is well.
   */
  public Optional<String> problem() {
    return databaseHealth.problem().or(identity::problem);
  }

  /** Whether writing currently fails because the disk is full. */
  public boolean isFull() {
    return databaseHealth.isFull();
  }

  /**
   * Makes a backup while reads and writes continue, checks it ({@code integrity_check}), and
   * returns when it is on disk.
   *
   * @param to a file that doesn't exist yet
   * @throws BackupFailedException with a sentence for the user; {@code to} then doesn't exist
   * @throws InterruptedException if interrupted; the backup continues to its end
   */
  public void backup(Path to, DatabaseBackup.Progress progress)
      throws BackupFailedException, InterruptedException {
    Path absolute = to.toAbsolutePath().normalize();
    Optional<BackupFailedException> failure =
        aside(
            "backup",
            () -> {
              try {
                DatabaseBackup.make(file, absolute, progress);
                return Optional.empty();
              } catch (BackupFailedException e) {
                return Optional.of(e);
              }
            });
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  /**
   * Checks every page, index and reference ({@code integrity_check}) while reads and writes
   * continue.
   *
   * @return the problems found; empty if all is well
   */
  public List<String> integrityCheck() throws InterruptedException {
    return aside("check", () -> IntegrityCheck.full(file));
  }

  /** Runs long native work on a platform thread of its own. */
  private <T> T aside(String name, Supplier<T> work) throws InterruptedException {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name(file.getFileName() + "-" + name)
        .start(() -> {
          try {
            result.complete(work.get());
          } catch (RuntimeException | Error e) {
            ProcessWatchdog.report(e);
            result.completeExceptionally(e);
          }
        });
    try {
      return result.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  /** Finishes queued work, then closes the file; later work is refused. */
  @Override
  public void close() {
    writes.close();
    reads.close();
    boolean interrupted = false;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    meters.remove(waiting);
    if (interrupted) {
      log.warn("The stop of database {} was cut short; it is checked at the next start", file);
      Thread.currentThread().interrupt();
    } else {
      close(connections, file);
    }
  }

  private static void close(List<Connection> connections, Path file) {
    for (Connection connection : connections) {
      try {
        connection.close();
      } catch (SQLException e) {
        log.warn("A connection to database {} did not close cleanly", file, e);
      }
    }
  }
}
