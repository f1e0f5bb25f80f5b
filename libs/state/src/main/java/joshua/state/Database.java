package joshua.state;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import joshua.kernel.PrivateFile;
import org.jspecify.annotations.Nullable;
import org.sqlite.Function;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;

/**
 * A SQLite database in a file that only this user can access, with a write-ahead log. Completed
 * writes are on disk. Several processes may share it. Thread-safe.
 */
public final class Database implements AutoCloseable {
  private static final String NATIVE_LIBRARY_DIRECTORY = "org.sqlite.tmpdir";
  private static final String INCOMING = "-incoming";
  private static final int BUSY_TIMEOUT_MS = 5_000;
  private static final int CACHE_KIB = 32 * 1024; // of the writer; less makes inserts read pages
  private static final int MAX_IDLE_LOG_BYTES = 16 * 1024 * 1024;
  private static final int READERS = 2;
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(5);

  /** {@code fold(text)}: in lower case, of all alphabets, while SQLite's knows a to z alone. */
  private static final Function FOLD =
      new Function() {
        @Override
        protected void xFunc() throws SQLException {
          String text = value_text(0);
          result(text == null ? null : text.toLowerCase(Locale.ROOT));
        }
      };

  private final Path file;
  private final DatabaseWriter writer;
  private final DatabaseReaders readers;

  private Database(Path file, Transaction writing, List<Transaction> reading, Duration timeout) {
    SqliteErrors errors = new SqliteErrors(file);
    this.file = file;
    this.writer = new DatabaseWriter(writing, errors);
    this.readers = new DatabaseReaders(reading, errors, timeout);
  }

  /**
   * Opens a database, creates it if absent, and applies missing migrations.
   *
   * @param file absolute
   * @param migrations all of its schema
   * @throws IOException with a sentence for the user
   */
  public static Database open(Path file, List<Migration> migrations, InstantSource time)
      throws IOException {
    return open(file, migrations, time, READ_TIMEOUT);
  }

  static Database open(
      Path file, List<Migration> migrations, InstantSource time, Duration readWithin)
      throws IOException {
    SqliteErrors errors = new SqliteErrors(file);
    Path unchecked = sibling(file, "-unchecked");
    List<Transaction> open = new ArrayList<>();
    try {
      makeDirectory(file);
      PrivateFile.createIfAbsent(file);
      if (walBytes(file) > 0 && !Files.exists(unchecked)) {
        // Closing removes the log: one that exists means a crash. Its mark outlives a refused
        // start.
        Files.createFile(unchecked);
      }
      Transaction writing = connect(file, false);
      open.add(writing);
      if (Files.exists(unchecked)) {
        check(writing, "quick_check(1)", errors);
        Files.delete(unchecked);
      }
      writing.run("begin immediate", new SchemaMigrator(errors, migrations, time)::migrate);
      for (int i = 0; i < READERS; i++) {
        open.add(connect(file, true));
      }
      return new Database(file, writing, open.subList(1, open.size()), readWithin);
    } catch (StatementException | StoreException | IOException e) {
      open.forEach(Transaction::close);
      throw sentence(errors, e);
    }
  }

  private static IOException sentence(SqliteErrors errors, Exception failure) {
    return switch (failure) {
      case FileSystemException refused ->
          new IOException(
              "%s can't be written to (%s)."
                  .formatted(
                      refused.getFile(),
                      Objects.requireNonNullElse(
                          refused.getReason(), refused.getClass().getSimpleName())),
              refused);
      case IOException told -> told;
      case StatementException statement -> new IOException(errors.opening(statement), statement);
      default -> new IOException(failure.getMessage(), failure);
    };
  }

  private static void makeDirectory(Path file) throws IOException {
    Path directory = Objects.requireNonNull(file.getParent(), "an absolute path");
    PrivateFile.createDirectories(directory);
    if (!Files.isWritable(directory)) {
      throw new FileSystemException(directory.toString(), null, "read-only");
    }
    Path code = directory.resolve("sqlite");
    if (System.getProperty(NATIVE_LIBRARY_DIRECTORY) == null && Files.exists(code)) {
      try (Stream<Path> left = Files.list(code)) {
        for (Path each : left.toList()) {
          Files.deleteIfExists(each); // left by a killed process
        }
      }
    }
    setNativeLibraryDirectory(file);
  }

  /** Lets SQLite's native library be unpacked beside a file: /tmp may be read-only or noexec. */
  private static void setNativeLibraryDirectory(Path file) throws IOException {
    if (System.getProperty(NATIVE_LIBRARY_DIRECTORY) == null) {
      Path code = Files.createDirectories(file.resolveSibling("sqlite"));
      System.setProperty(NATIVE_LIBRARY_DIRECTORY, code.toString());
    }
  }

  private static Transaction connect(Path file, boolean readOnly) {
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_TIMEOUT_MS);
    config.setReadOnly(readOnly);
    config.setGetGeneratedKeys(false); // a query after each statement, which nobody reads
    if (!readOnly) {
      config.setCacheSize(-CACHE_KIB);
      config.setJournalMode(JournalMode.WAL);
      config.setSynchronous(SynchronousMode.FULL);
      config.setJournalSizeLimit(MAX_IDLE_LOG_BYTES); // one that has grown is truncated
    }
    try {
      Connection connection = config.createConnection("jdbc:sqlite:" + file);
      Function.create(connection, "fold", FOLD);
      return new Transaction(connection);
    } catch (SQLException e) {
      throw new StatementException("connect", e);
    }
  }

  private static void check(Transaction transaction, String check, SqliteErrors errors)
      throws IOException {
    for (String finding : transaction.rows(String.class, "pragma " + check)) {
      if (!finding.equals("ok")) {
        throw new IOException(errors.damaged(finding));
      }
    }
  }

  private static Path sibling(Path file, String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  private static long walBytes(Path file) {
    return sibling(file, "-wal").toFile().length(); // 0 where there is none
  }

  /**
   * Begins a write, which is on disk when the result completes. Dependent stages share a thread
   * with those of other writes, so they must not block. The result fails with a {@link
   * StoreException} where the database can't take it, and with whatever the job throws.
   */
  public <T extends @Nullable Object> CompletableFuture<T> submit(Job<T> job) {
    return writer.submit(job);
  }

  /** As {@link #submit}, and waits for the result. */
  public <T extends @Nullable Object> T write(Job<T> job) {
    return await(submit(job));
  }

  /**
   * Reads, with a timeout of a few seconds.
   *
   * @throws StoreException where the database can't be read, or not in time
   */
  public <T extends @Nullable Object> T read(Job<T> job) {
    return await(readers.begin(job));
  }

  private static <T extends @Nullable Object> T await(CompletableFuture<T> result) {
    try {
      return result.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    }
  }

  /** The reason why the database can't be written to at present, as a sentence. */
  public Optional<String> problem() {
    return writer.problem();
  }

  /** The size of the write-ahead log in bytes, which grows during a long read. */
  public long walBytes() {
    return walBytes(file);
  }

  /**
   * Copies a database, which may be in use, as it is now.
   *
   * @param to a file that doesn't exist yet
   * @throws IOException with a sentence for the user
   */
  public static void backup(Path file, Path to) throws IOException {
    try {
      Files.createFile(to, PrivateFile.MODE); // before there is anything in it to read
    } catch (FileAlreadyExistsException e) {
      throw new IOException("%s is there already; name another file.".formatted(to), e);
    }
    setNativeLibraryDirectory(file);
    try (Transaction transaction = connect(file, true)) {
      transaction.update("vacuum into ?", to.toString());
    } catch (StatementException e) {
      Files.deleteIfExists(to);
      throw sentence(new SqliteErrors(file), e);
    }
  }

  /**
   * Replaces databases that nobody uses by backups, and keeps the replaced files beside them. All
   * backups are checked and copied before the first file is replaced.
   *
   * @param backups by the file that each replaces
   * @return the kept copies, by the same files
   * @throws IOException with a sentence for the user; no database has changed then
   */
  public static Map<Path, Path> restore(Map<Path, Path> backups, InstantSource time)
      throws IOException {
    Map<Path, Path> kept = new LinkedHashMap<>();
    try {
      for (Map.Entry<Path, Path> each : backups.entrySet()) {
        makeDirectory(each.getKey());
        examine(each.getValue(), "quick_check(1)");
        Path incoming = sibling(each.getKey(), INCOMING);
        PrivateFile.createIfAbsent(incoming);
        try (OutputStream copy = Files.newOutputStream(incoming)) {
          Files.copy(each.getValue(), copy);
        }
      }
      for (Path file : backups.keySet()) {
        Path before = sibling(file, "-before-" + time.millis());
        for (String side : List.of("-wal", "-shm", "")) {
          if (Files.exists(sibling(file, side))) {
            Files.move(sibling(file, side), sibling(before, side));
            kept.put(file, before);
          }
        }
        Files.move(sibling(file, INCOMING), file);
      }
      return kept;
    } finally {
      for (Path file : backups.keySet()) {
        Files.deleteIfExists(sibling(file, INCOMING));
      }
    }
  }

  /** Checks every page and index of a database, in use or not: some 15 s for each GB. */
  public static void checkFully(Path file) throws IOException {
    setNativeLibraryDirectory(file);
    examine(file, "integrity_check(1)");
  }

  private static void examine(Path file, String check) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException("There is no file %s.".formatted(file));
    }
    SqliteErrors errors = new SqliteErrors(file);
    try (Transaction transaction = connect(file, true)) {
      check(transaction, check, errors);
    } catch (StatementException e) {
      throw sentence(errors, e);
    }
  }

  /** Runs the submitted jobs, then closes. */
  @Override
  public void close() {
    try {
      readers.close();
      writer.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // submitted jobs still run, without waiting for them
    }
  }
}
