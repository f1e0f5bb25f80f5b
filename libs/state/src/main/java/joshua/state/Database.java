package joshua.state;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import joshua.kernel.PrivateFile;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;

/**
 * A database in a file, for this user alone: SQLite with a write-ahead log, on disk when a write is
 * answered. Several processes may use the same one. Any thread may ask.
 */
public final class Database implements AutoCloseable {
  private static final String CODE_DIRECTORY = "org.sqlite.tmpdir";
  private static final String INCOMING = "-incoming";
  private static final int BUSY_TIMEOUT_MS = 5_000;
  private static final int USUAL_LOG = 16 * 1024 * 1024;
  private static final int READERS = 2;
  private static final Duration READ_WITHIN = Duration.ofSeconds(5);

  private final Path file;
  private final DatabaseWriter writer;
  private final DatabaseReaders readers;

  private Database(Path file, Transaction writing, List<Transaction> reading, Duration within) {
    SqliteErrors errors = new SqliteErrors(file);
    this.file = file;
    this.writer = new DatabaseWriter(writing, errors);
    this.readers = new DatabaseReaders(reading, errors, within);
  }

  /**
   * Opens a database, makes it if need be, and brings it up to date.
   *
   * @param file absolute
   * @param migrations all of its schema
   * @throws IOException with a sentence for the user
   */
  public static Database open(Path file, List<Migration> migrations, InstantSource time)
      throws IOException {
    return open(file, migrations, time, READ_WITHIN);
  }

  static Database open(
      Path file, List<Migration> migrations, InstantSource time, Duration readWithin)
      throws IOException {
    SqliteErrors errors = new SqliteErrors(file);
    Path unchecked = beside(file, "-unchecked");
    List<Transaction> open = new ArrayList<>();
    try {
      makeDirectory(file);
      PrivateFile.createIfAbsent(file);
      if (walBytes(file) > 0 && !Files.exists(unchecked)) {
        // Closing removes the log, so what is left was not closed. The mark outlives a refused
        // start.
        Files.createFile(unchecked);
      }
      Transaction writing = connect(file, false);
      open.add(writing);
      if (Files.exists(unchecked)) {
        check(writing, "quick_check(1)", errors);
        Files.delete(unchecked);
      }
      writing.run("begin immediate", new Schema(errors, migrations, time)::migrate);
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
    if (System.getProperty(CODE_DIRECTORY) == null && Files.exists(code)) {
      try (Stream<Path> left = Files.list(code)) {
        for (Path each : left.toList()) {
          Files.deleteIfExists(each); // of a process that was killed
        }
      }
    }
    unpackBeside(file);
  }

  /** Has SQLite's machine code unpacked beside a file: /tmp may be read-only or noexec. */
  private static void unpackBeside(Path file) throws IOException {
    if (System.getProperty(CODE_DIRECTORY) == null) {
      Path code = Files.createDirectories(file.resolveSibling("sqlite"));
      System.setProperty(CODE_DIRECTORY, code.toString());
    }
  }

  private static Transaction connect(Path file, boolean readOnly) {
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_TIMEOUT_MS);
    config.setReadOnly(readOnly);
    if (!readOnly) {
      config.setJournalMode(JournalMode.WAL);
      config.setSynchronous(SynchronousMode.FULL);
      config.setJournalSizeLimit(USUAL_LOG); // one that has grown shrinks again
    }
    try {
      return new Transaction(config.createConnection("jdbc:sqlite:" + file));
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

  private static Path beside(Path file, String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  private static long walBytes(Path file) {
    return beside(file, "-wal").toFile().length(); // 0 where there is none
  }

  /**
   * Begins a write. It is on disk when the result comes; what depends on the result runs on a
   * thread that others' answers come by, so it mustn't wait. The result fails with a {@link
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
   * Reads, for some seconds at most.
   *
   * @throws StoreException where the database can't be read, that took too long, or others did
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

  /** What keeps the database from being written to, as a sentence, while something does. */
  public Optional<String> problem() {
    return writer.problem();
  }

  /** The size of the write-ahead log, which grows while somebody reads the same old state. */
  public long walBytes() {
    return walBytes(file);
  }

  /**
   * Copies the database as it is now, while it is used.
   *
   * @param to a file that isn't there yet
   * @throws IOException with a sentence for the user
   */
  public static void backup(Path file, Path to) throws IOException {
    try {
      Files.createFile(to, PrivateFile.MODE); // before there is anything in it to read
    } catch (FileAlreadyExistsException e) {
      throw new IOException("%s is there already; name another file.".formatted(to), e);
    }
    unpackBeside(file);
    try (Transaction transaction = connect(file, true)) {
      transaction.update("vacuum into ?", to.toString());
    } catch (StatementException e) {
      Files.deleteIfExists(to);
      throw sentence(new SqliteErrors(file), e);
    }
  }

  /**
   * Puts backups in the places of databases that nobody uses; what was there is kept beside them.
   * All of them are checked and copied before the first is put in its place.
   *
   * @param backups by the files that they replace
   * @return where what was there is now, by the same files
   * @throws IOException with a sentence for the user; no database has changed then
   */
  public static Map<Path, Path> restore(Map<Path, Path> backups, InstantSource time)
      throws IOException {
    Map<Path, Path> kept = new LinkedHashMap<>();
    try {
      for (Map.Entry<Path, Path> each : backups.entrySet()) {
        makeDirectory(each.getKey());
        examine(each.getValue(), "quick_check(1)");
        Path incoming = beside(each.getKey(), INCOMING);
        PrivateFile.createIfAbsent(incoming);
        try (OutputStream copy = Files.newOutputStream(incoming)) {
          Files.copy(each.getValue(), copy);
        }
      }
      for (Path file : backups.keySet()) {
        Path before = beside(file, "-before-" + time.millis());
        for (String side : List.of("-wal", "-shm", "")) {
          if (Files.exists(beside(file, side))) {
            Files.move(beside(file, side), beside(before, side));
            kept.put(file, before);
          }
        }
        Files.move(beside(file, INCOMING), file);
      }
      return kept;
    } finally {
      for (Path file : backups.keySet()) {
        Files.deleteIfExists(beside(file, INCOMING));
      }
    }
  }

  /** Checks every page and index of a database, in use or not: some 15 s for each GB. */
  public static void checkFully(Path file) throws IOException {
    unpackBeside(file);
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

  /** Does what has been submitted, and ends. */
  @Override
  public void close() {
    try {
      readers.close();
      writer.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // what is left is done, but not waited for
    }
  }
}
