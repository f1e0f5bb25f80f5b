package joshua.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import joshua.kernel.ErrorCode;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseTest {
  private static final InstantSource TIME = InstantSource.system();
  private static final Migration ITEMS =
      new Migration("items", "create table item (id text primary key, count integer not null);");
  private static final String INSERT = "insert into item values (?, ?)";

  private static final String ENDLESS =
      "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n";

  @TempDir Path directory;
  private Path file;
  @AutoClose private Database database;

  @BeforeEach
  void nameTheFile() {
    file = directory.resolve("state").resolve("test.db");
  }

  private void open() throws IOException {
    database = Database.open(file, List.of(ITEMS), TIME);
  }

  private void openImpatiently() throws IOException {
    database = Database.open(file, List.of(ITEMS), TIME, Duration.ofMillis(100));
  }

  private enum Colour {
    RED,
    GREEN
  }

  private record AllTypes(
      String text,
      int small,
      long large,
      boolean truth,
      Instant at,
      UUID id,
      Colour colour,
      Long absent,
      UUID noId) {}

  private long count() {
    return database.read(tx -> tx.number("select count(*) from item"));
  }

  @Test
  void rowsAreReadIntoRecords() throws Exception {
    UUID id = UUID.randomUUID();
    Instant at = Instant.ofEpochMilli(1_234_567_890_123L);
    Object[] given = {"é", 7, 1L << 40, true, at, id, Colour.GREEN, null, null};
    open();
    String select = "select ?, ?, ?, ?, ?, ?, ?, ?, ?";
    List<AllTypes> rows = database.read(tx -> tx.rows(AllTypes.class, select, given));
    assertThat(rows)
        .containsExactly(new AllTypes("é", 7, 1L << 40, true, at, id, Colour.GREEN, null, null));
  }

  @Test
  void aTableIsReadAsJson() throws Exception {
    open();
    ArrayNode table =
        database.read(tx -> tx.table("select 'x' as name, 1.5 as share, null as none"));
    assertThat(table).hasToString("[{\"name\":\"x\",\"share\":1.5,\"none\":null}]");
  }

  @Test
  void whatWasWrittenIsThereAfterwards() throws Exception {
    open();
    database.write(tx -> tx.update(INSERT, "a", 1));
    database.close();
    open();
    assertThat(count()).isEqualTo(1);
    database.close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(file.resolveSibling("test.db-wal")).doesNotExist();
  }

  @Test
  void aJobThatFailsFailsAlone() throws Exception {
    open();
    CountDownLatch gathered = new CountDownLatch(1);
    List<CompletableFuture<Integer>> results = new ArrayList<>();
    // Holds the writer, so that the others become one batch.
    results.add(
        database.submit(tx -> {
          awaited(gathered);
          return 0;
        }));
    for (int i = 0; i < 100; i++) {
      String id = "item" + (i % 10 == 9 ? i - 1 : i); // every tenth is there already
      results.add(database.submit(tx -> tx.update(INSERT, id, 1)));
    }
    gathered.countDown();
    assertThat(results)
        .filteredOn(result -> result.handle((value, failure) -> failure != null).join())
        .hasSize(10);
    assertThat(count()).isEqualTo(90);
    assertThat(database.problem()).isEmpty();
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aJobThatThrowsIsRolledBack() throws Exception {
    open();
    assertThatThrownBy(() ->
            database.write(tx -> {
              tx.update(INSERT, "a", 1);
              throw new IllegalStateException("no");
            }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no");
    assertThat(count()).isZero();
  }

  @Test
  void readersCannotWrite() throws Exception {
    open();
    assertThatThrownBy(() -> database.read(tx -> tx.update(INSERT, "a", 1)))
        .hasMessageContaining("can't be written to");
  }

  @Test
  void aReadThatTakesTooLongIsEnded() throws Exception {
    openImpatiently();
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> database.read(tx -> tx.number(ENDLESS)))
        .withMessageContaining("took longer");
    assertThat(count()).isZero();
  }

  @Test
  void aReadThatFindsNoFreeConnectionInTimeIsRefused() throws Exception {
    CountDownLatch held = new CountDownLatch(2);
    CountDownLatch over = new CountDownLatch(1);
    openImpatiently();
    List<CompletableFuture<Integer>> holders = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      holders.add(
          CompletableFuture.supplyAsync(() ->
              database.read(tx -> {
                held.countDown();
                awaited(over);
                return 1;
              })));
    }
    held.await();
    assertOverloaded(() -> count());
    over.countDown();
    holders.forEach(CompletableFuture::join);
    assertThat(count()).isZero();
  }

  private static void assertOverloaded(ThrowingCallable call) {
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(call)
        .withMessageContaining("doesn't keep up")
        .satisfies(e -> assertThat(e.refusal().code()).isEqualTo(ErrorCode.OVERLOADED));
  }

  @Test
  void aWriteBeyondThoseThatMayWaitIsRefused() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    open();
    CompletableFuture<Integer> holder =
        database.submit(tx -> {
          held.countDown();
          awaited(over);
          return 1;
        });
    held.await();
    List<CompletableFuture<Integer>> waiting = new ArrayList<>();
    for (int i = 0; i < DatabaseWriter.MAX_QUEUED; i++) {
      waiting.add(database.submit(tx -> 1));
    }
    CompletableFuture<Integer> beyond = database.submit(tx -> 1);
    over.countDown();
    holder.join();
    assertThat(waiting).allSatisfy(each -> assertThat(each.join()).isEqualTo(1));
    assertThat(beyond).isCompletedExceptionally();
    assertOverloaded(() -> {
      throw beyond.exceptionNow();
    });
    assertThat(database.problem()).isEmpty();
    assertThat(database.<Integer>write(tx -> 1)).isEqualTo(1);
  }

  @Test
  void aLockedDatabaseIsToldAndComesBack() throws Exception {
    open();
    try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = other.createStatement()) {
      statement.execute("begin immediate");
      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(() -> database.write(tx -> tx.update(INSERT, "a", 1)))
          .withMessageContaining("is locked by another process");
      assertThat(database.problem()).isPresent();
      statement.execute("rollback");
      assertThat(database.<Integer>write(tx -> tx.update(INSERT, "a", 1))).isEqualTo(1);
      assertThat(database.problem()).isEmpty();
    }
  }

  @Test
  void aFullDiskIsToldAndNothingIsLost() throws Exception {
    open();
    database.write(tx -> tx.update(INSERT, "a", 1));
    database.write(tx -> tx.number("pragma max_page_count = 10"));
    String large = "x".repeat(100_000);
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> database.write(tx -> tx.update(INSERT, large, 1)))
        .withMessageContaining("is full");
    database.write(tx -> tx.number("pragma max_page_count = 1000000"));
    database.write(tx -> tx.update(INSERT, large, 1));
    assertThat(count()).isEqualTo(2);
  }

  @Test
  void theLogGrowsWhileAnOldStateIsReadAndShrinksAgain() throws Exception {
    long large = 20 * 1024 * 1024;
    open();
    try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = other.createStatement()) {
      statement.execute("begin");
      statement.executeQuery("select count(*) from item").close();
      String text = "x".repeat(1024 * 1024);
      for (int i = 0; i < 21; i++) {
        String id = i + text;
        database.write(tx -> tx.update(INSERT, id, 1));
      }
      assertThat(database.walBytes()).isGreaterThan(large);
      statement.execute("commit");
      for (int i = 0; i < 3; i++) {
        String id = "small" + i;
        database.write(tx -> tx.update(INSERT, id, 1));
      }
      assertThat(database.walBytes()).isLessThan(large);
    }
  }

  @Test
  void aDatabaseThatWasNotClosedIsChecked() throws Exception {
    damaged();
    // The first look leaves a mark, since closing the database removes the log.
    for (int i = 0; i < 2; i++) {
      assertRefused("is damaged");
    }
  }

  private void assertRefused(String why) {
    assertThatExceptionOfType(IOException.class).isThrownBy(this::open).withMessageContaining(why);
  }

  private void damaged() throws Exception {
    open();
    database.write(tx -> {
      for (int i = 0; i < 1_000; i++) {
        tx.update(INSERT, "item" + i, i);
      }
      return null;
    });
    database.close();
    byte[] bytes = Files.readAllBytes(file);
    for (int i = bytes.length / 2; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 31);
    }
    Files.write(file, bytes);
    Files.write(file.resolveSibling("test.db-wal"), new byte[32]);
  }

  @Test
  void whatIsNoDatabaseIsRefused() throws Exception {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "x".repeat(10_000));
    assertRefused("is damaged");
  }

  @Test
  void migrationsRunOnceAndNewerOnesAreRefused() throws Exception {
    Migration more = new Migration("more", "alter table item add column note text;");
    open();
    database.close();
    Database.open(file, List.of(more, ITEMS), TIME).close();
    Database.open(file, List.of(ITEMS, more), TIME).close();
    assertRefused("has had more, which this Joshua doesn't know");
  }

  @Test
  void aPlaceThatCannotBeWrittenToIsNamed() throws Exception {
    Path taken = Files.createFile(file.getParent().resolveSibling("taken"));
    assertThatThrownBy(() -> Database.open(taken.resolve("state.db"), List.of(ITEMS), TIME))
        .isInstanceOf(IOException.class)
        .hasMessage(taken + " can't be written to (FileAlreadyExistsException).");
  }

  @Test
  void aMigrationThatFailsChangesNothing() throws Exception {
    open();
    database.close();
    Migration wrong = new Migration("wrong", "create table a (b); create table item (c);");
    assertThatThrownBy(() -> Database.open(file, List.of(ITEMS, wrong), TIME))
        .isInstanceOf(IOException.class);
    open();
    database.close();
  }

  @Test
  void anothersDatabaseIsRefused() throws Exception {
    Files.createDirectories(file.getParent());
    try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = other.createStatement()) {
      statement.execute("create table theirs (a)");
    }
    assertRefused("another program");
  }

  @Test
  void afterItsEndJobsAreRefused() throws Exception {
    open();
    database.close();
    assertThatThrownBy(() -> database.write(tx -> 1)).hasMessageContaining("has been closed");
    assertThatThrownBy(() -> database.read(tx -> 1)).hasMessageContaining("has been closed");
  }
}
