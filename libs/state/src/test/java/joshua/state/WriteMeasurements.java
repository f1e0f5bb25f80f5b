package joshua.state;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A benchmark on the disk of the working directory: opening, and 8 callers' writes, grouped and
 * with one commit each, alternately. A program, not a test: its figures depend on the machine.
 */
final class WriteMeasurements {
  private static final int CALLERS = 8;
  private static final int WRITES_EACH = 500;
  private static final int ROUNDS = 5;

  private WriteMeasurements() {}

  @FunctionalInterface
  private interface Write {
    void write(String text) throws Exception;
  }

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments.length > 0 ? arguments[0] : "target/measurements");
    Path file = directory.resolve("notes-" + System.nanoTime() + ".db");
    long begun = System.nanoTime();
    NotesSchema.open(file).close();
    say("open and close, new file, driver loaded for the first time: %.0f ms", millis(begun));
    begun = System.nanoTime();
    NotesSchema.open(file).close();
    say("open and close again: %.1f ms", millis(begun));
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    ReentrantLock lock = new ReentrantLock();
    try (Database database = NotesSchema.open(file, meters);
        Connection single =
            DatabaseConnections.writing(directory.resolve("single-" + file.getFileName()))) {
      DatabaseConnections.run(single, "pragma journal_mode = wal");
      DatabaseConnections.run(single, NotesSchema.FIRST.sql());
      for (int round = 0; round < ROUNDS; round++) {
        String prefix = "round " + round;
        double grouped = perSecond(prefix, text -> NotesSchema.add(database, text));
        double single8 =
            perSecond(
                prefix,
                text -> {
                  lock.lock();
                  try {
                    NotesSchema.add(single, text);
                  } finally {
                    lock.unlock();
                  }
                });
        say(
            "writes/s of %d callers: grouped %.0f, one commit each %.0f",
            CALLERS, grouped, single8);
      }
      say(
          "writes per commit when grouped: %.1f",
          meters.get("joshua.state.writes.per.commit").summary().mean());
      begun = System.nanoTime();
      int reads = 20_000;
      for (int i = 0; i < reads; i++) {
        NotesSchema.count(database);
      }
      say("a read by one caller: %.0f µs", millis(begun) * 1_000 / reads);
    }
  }

  private static double perSecond(String prefix, Write write) throws Exception {
    List<Thread> callers = new ArrayList<>();
    long begun = System.nanoTime();
    for (int caller = 0; caller < CALLERS; caller++) {
      String name = prefix + " caller " + caller + " write ";
      callers.add(
          Thread.ofVirtual()
              .start(() -> {
                try {
                  for (int i = 0; i < WRITES_EACH; i++) {
                    write.write(name + i);
                  }
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              }));
    }
    for (Thread caller : callers) {
      caller.join();
    }
    return CALLERS * WRITES_EACH * 1_000 / millis(begun);
  }

  private static double millis(long begun) {
    return (System.nanoTime() - begun) / 1e6;
  }

  private static void say(String format, Object... values) {
    System.out.println(format.formatted(values));
  }
}
