package joshua.state;

import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Another JVM on the same file: a test starts one, and {@link #main} is its program. */
record DatabaseProcess(Process process, BufferedReader output) implements AutoCloseable {
  static DatabaseProcess start(String verb, Path file, String... rest) throws IOException {
    return start(List.of(), verb, file, rest);
  }

  /** Starts it by a wrapping command, {@code unshare} for instance. */
  static DatabaseProcess start(List<String> by, String verb, Path file, String... rest)
      throws IOException {
    List<String> command = new ArrayList<>(by);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            DatabaseProcess.class.getName(),
            verb,
            file.toString()));
    command.addAll(List.of(rest));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return new DatabaseProcess(process, process.inputReader(StandardCharsets.UTF_8));
  }

  /** The lines that it prints until it ends. */
  List<String> lines() throws Exception {
    List<String> lines = output.lines().toList();
    process.waitFor();
    return lines;
  }

  /** Kills it; its output can still be read. */
  void kill() {
    process.toHandle().destroyForcibly();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  public static void main(String[] arguments) throws Exception {
    Path file = Path.of(arguments[1]);
    switch (arguments[0]) {
      case "write" -> writeForEver(file, arguments[2], Integer.parseInt(arguments[3]));
      case "crash" -> crash(file, Integer.parseInt(arguments[2]));
      case "lock" -> lock(file);
      case "open" -> open(file);
      case "fill" -> fill(file);
      case "backup" -> backup(file);
      case "backup-of-full" -> backupOfFull(file);
      case String other -> throw new IllegalArgumentException(other);
    }
  }

  /** Several threads write notes and print each when it is acknowledged, until killed. */
  private static void writeForEver(Path file, String prefix, int threads) throws Exception {
    Database database = NotesSchema.open(file);
    AtomicInteger next = new AtomicInteger();
    Runnable writing =
        () -> {
          try {
            while (true) {
              String text = prefix + next.getAndIncrement();
              NotesSchema.add(database, text);
              System.out.println(text);
            }
          } catch (Exception e) {
            System.out.println(e);
          }
        };
    Stream.generate(() -> Thread.ofVirtual().unstarted(writing))
        .limit(threads)
        .forEach(Thread::start);
    Thread.currentThread().join();
  }

  /** Writes notes and ends without closing the file. */
  private static void crash(Path file, int notes) throws Exception {
    NotesSchema.addMany(
        NotesSchema.open(file), "crash-" + ProcessHandle.current().pid() + "-", notes);
    Runtime.getRuntime().halt(9);
  }

  /** Keeps the file locked until its input ends. */
  private static void lock(Path file) throws SQLException, IOException {
    try (Connection connection = DatabaseConnections.writing(file)) {
      DatabaseConnections.run(connection, "begin immediate");
      System.out.println("locked");
      System.out.flush();
      int end = System.in.read();
      DatabaseConnections.run(connection, "rollback");
      System.out.println("let go " + end);
    }
  }

  /** Opens the file, writes a note, and prints the result. */
  private static void open(Path file) throws Exception {
    try (Database database = NotesSchema.open(file)) {
      System.out.println(
          "notes " + NotesSchema.add(database, "note of " + ProcessHandle.current().pid()));
    } catch (CannotOpenException e) {
      System.out.println("refused " + e.getMessage());
    }
  }

  /** Makes a backup in the directory beside the file, and prints the result. */
  private static void backup(Path file) throws Exception {
    Path directory = file.resolveSibling("backups");
    try {
      DatabaseBackup.make(file, directory.resolve("copy.db"), (parts, of) -> {});
      System.out.println("made");
    } catch (BackupFailedException e) {
      System.out.println("refused " + e.getMessage());
    }
    try (Stream<Path> left = Files.list(directory)) {
      System.out.println("left " + left.toList());
    }
  }

  /** Makes a backup elsewhere of a database whose disk is full, and prints the result. */
  private static void backupOfFull(Path file) throws Exception {
    NotesSchema.open(file).close();
    try (OutputStream ballast = Files.newOutputStream(file.resolveSibling("ballast"))) {
      for (int left = 64 * 1_024; left > 0; left--) {
        ballast.write(new byte[1_024]);
      }
    } catch (IOException e) {
      System.out.println("full");
    }
    Path elsewhere = Files.createTempDirectory("backup");
    try {
      DatabaseBackup.make(file, elsewhere.resolve("copy.db"), (parts, of) -> {});
      System.out.println("made");
      Files.delete(elsewhere.resolve("copy.db"));
    } catch (BackupFailedException e) {
      System.out.println("refused " + e.getMessage());
    }
    try (Stream<Path> left = Files.list(elsewhere)) {
      left.forEach(each -> each.toFile().delete());
    }
    Files.deleteIfExists(elsewhere);
  }

  /** Writes until the disk is full, makes room, and goes on; prints each step. */
  private static void fill(Path file) throws Exception {
    Path ballast = file.resolveSibling("ballast");
    Files.write(ballast, new byte[5 * 1_024 * 1_024]);
    try (Database database = Database.open(file, NotesSchema.SCHEMA, new SimpleMeterRegistry())) {
      int written = 0;
      try {
        for (; written < 10_000; written++) {
          NotesSchema.add(database, written + "x".repeat(4_000));
        }
      } catch (StoreUnavailableException e) {
        System.out.println("refused " + e.code() + " " + e.getMessage());
      }
      System.out.println("same " + (NotesSchema.count(database) == written));
      System.out.println("problem " + database.problem().isPresent());
      Files.delete(ballast);
      await().atMost(Duration.ofSeconds(30)).until(() -> database.problem().isEmpty());
      System.out.println("well true");
      System.out.println("again " + NotesSchema.add(database, "again"));
      System.out.println("whole " + database.integrityCheck());
    }
  }
}
