package joshua.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Databases that can't be opened: each refusal says why and what to do, and changes nothing. */
class RefusedOpenIT {
  private static final Migration TAGS =
      new Migration(2, "tags", "alter table notes add column tag text; create table tags (a)");

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void name() {
    file = directory.resolve("notes.db");
  }

  private Database open(Migration... migrations) throws CannotOpenException {
    return Database.open(file, List.of(migrations), new SimpleMeterRegistry());
  }

  private void refused(ThrowingCallable opening, String... fragments) {
    assertThatThrownBy(opening)
        .isInstanceOf(CannotOpenException.class)
        .message()
        .contains(file.toString())
        .contains(fragments);
  }

  private int schema() throws Exception {
    try (Connection connection = DatabaseConnections.reading(file)) {
      return DatabaseSchema.of(connection);
    }
  }

  @Test
  void migrationsLeadFromAnyOlderSchemaToTheNewest() throws Exception {
    try (Database database = open(NotesSchema.FIRST)) {
      NotesSchema.add(database, "kept");
    }
    try (Database database = open(NotesSchema.FIRST, TAGS)) {
      assertThat(NotesSchema.texts(database)).containsExactly("kept");
      assertThat(
              database.<Integer>read(c ->
                  DatabaseConnections.number(
                      c, "select count(*) from tags, notes where tag is null")))
          .isZero();
    }
    assertThat(schema()).isEqualTo(2);
    open(NotesSchema.FIRST, TAGS).close();
  }

  @Test
  void aNewerSchemaIsLeftAlone() throws Exception {
    open(NotesSchema.FIRST, TAGS).close();
    byte[] before = Files.readAllBytes(file);
    refused(
        () -> open(NotesSchema.FIRST),
        "has schema 2, this build knows up to 1. Start the newer build, or restore the backup");
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void aMigrationThatFailsLeavesTheOldSchema() throws Exception {
    try (Database database = open(NotesSchema.FIRST)) {
      NotesSchema.add(database, "kept");
    }
    Migration bad =
        new Migration(3, "bad", "create table more (a); insert into missing values (1)");
    refused(
        () -> open(NotesSchema.FIRST, TAGS, bad), "schema 3 (bad): ", "missing", "It is as it was");
    assertThat(schema()).isEqualTo(1);
    try (Database database = open(NotesSchema.FIRST)) {
      assertThat(NotesSchema.texts(database)).containsExactly("kept");
      assertThat(
              database.<List<String>>read(c ->
                  DatabaseConnections.texts(
                      c, "select name from sqlite_schema where name like '%more'")))
          .isEmpty();
    }
  }

  @Test
  void aMigrationThatLeavesRowsPointingToNothingIsUndone() throws Exception {
    try (Database database = open(NotesSchema.FIRST)) {
      database.write(c -> {
        DatabaseConnections.run(
            c, "insert into notes values (1, 'a'); insert into replies values (1, 1)");
        return 0;
      });
    }
    refused(
        () -> open(NotesSchema.FIRST, new Migration(2, "bad", "delete from notes")),
        "rows of replies would point to nothing");
    assertThat(schema()).isEqualTo(1);
  }

  @Test
  void anEmptyFileWhereADatabaseWasIsNoNewDatabase() throws Exception {
    try (Database database = open(NotesSchema.FIRST)) {
      NotesSchema.add(database, "lost");
    }
    Files.write(file, new byte[0]);
    for (int i = 0; i < 2; i++) {
      refused(
          () -> open(NotesSchema.FIRST), "is empty (0 bytes)", "restore the newest backup", "move");
      assertThat(file).isEmptyFile();
    }
    assertThat(IntegrityCheck.condition(file, List.of(NotesSchema.FIRST)).problem().orElseThrow())
        .contains("is empty (0 bytes)");
    assertThatThrownBy(
            () -> DatabaseBackup.make(file, directory.resolve("copy.db"), (parts, of) -> {}))
        .isInstanceOf(BackupFailedException.class)
        .hasMessageContaining("is empty (0 bytes)");

    Files.delete(file);
    open(NotesSchema.FIRST).close();
    assertThat(directory).isDirectoryNotContaining("glob:**-fresh");
  }

  /** A kill right after the file was created must not keep every later start from creating it. */
  @Test
  void aStartThatWasKilledWhileItMadeTheFileIsMadeUpFor() throws Exception {
    DatabaseCreation.begin(file);
    assertThat(file).isEmptyFile();
    try (Database database = open(NotesSchema.FIRST)) {
      assertThat(NotesSchema.add(database, "kept")).isEqualTo(1);
    }
    assertThat(directory).isDirectoryNotContaining("glob:**-fresh");
    Files.write(file, new byte[0]);
    refused(() -> open(NotesSchema.FIRST), "is empty (0 bytes)");
  }

  @Test
  void whatIsNoDatabaseIsLeftAlone() throws Exception {
    String letter = "Dear reader, ".repeat(100);
    Files.writeString(file, letter);
    refused(() -> open(NotesSchema.FIRST), "is not a SQLite database", "Move it away");
    assertThat(file).hasContent(letter);
  }

  @Test
  void aDatabaseOfSomebodyElseIsLeftAlone() throws Exception {
    try (Connection connection = DatabaseConnections.writing(file)) {
      DatabaseConnections.run(connection, "create table theirs (a)");
    }
    byte[] before = Files.readAllBytes(file);
    refused(() -> open(NotesSchema.FIRST), "somebody else", "Name another file");
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void aDirectoryIsNoDatabase() throws Exception {
    Files.createDirectory(file);
    refused(() -> open(NotesSchema.FIRST), "can't be opened");
  }

  @Test
  void afterAnUncleanStopADamagedFileIsRefused() throws Exception {
    try (Database database = NotesSchema.open(file)) {
      NotesSchema.addMany(database, "a", 1_000);
    }
    try (DatabaseProcess crashing = DatabaseProcess.start("crash", file, "1")) {
      crashing.lines();
    }
    overwrite(file, 100 * 4_096, 50 * 4_096);
    for (int start = 1; start <= 2; start++) {
      refused(() -> NotesSchema.open(file), "is damaged (", "restore the newest backup");
    }
    assertThat(IntegrityCheck.full(file)).isNotEmpty();
  }

  @Test
  void damageFoundByAReadIsAClearAnswer() throws Exception {
    try (Database database = NotesSchema.open(file)) {
      NotesSchema.addMany(database, "a", 1_000);
    }
    overwrite(file, 10 * 4_096, 200 * 4_096);
    try (Database database = NotesSchema.open(file)) {
      assertThatThrownBy(() -> NotesSchema.texts(database))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("is damaged");
      assertThat(database.integrityCheck()).isNotEmpty();
      // A commit elsewhere in the file doesn't repair it.
      database.write(connection -> {
        DatabaseConnections.run(connection, "create table other (a)");
        return true;
      });
      assertThat(database.problem())
          .hasValueSatisfying(problem -> assertThat(problem).contains("is damaged"));
    }
  }

  private static void overwrite(Path file, long from, int bytes) throws Exception {
    try (var open = new RandomAccessFile(file.toFile(), "rw")) {
      open.seek(from);
      byte[] noise = new byte[bytes];
      java.util.Arrays.fill(noise, (byte) 0x5a);
      open.write(noise);
    }
  }

  @Test
  void aFileThatAnotherProcessKeepsLockedIsRefusedInTime() throws Exception {
    NotesSchema.open(file).close();
    try (DatabaseProcess locking = DatabaseProcess.start("lock", file)) {
      assertThat(locking.output().readLine()).isEqualTo("locked");
      refused(() -> NotesSchema.open(file), "is locked by another process", "fuser " + file);
      locking.process().outputWriter().write("\n");
      locking.process().outputWriter().flush();
      locking.lines();
    }
    try (Database database = NotesSchema.open(file)) {
      assertThat(NotesSchema.count(database)).isZero();
    }
  }

  @Test
  void whileAnotherProcessKeepsTheFileLockedWritesAreRefusedAndReadsGoOn() throws Exception {
    try (Database database = NotesSchema.open(file);
        DatabaseProcess locking = DatabaseProcess.start("lock", file)) {
      assertThat(locking.output().readLine()).isEqualTo("locked");
      assertThatThrownBy(() -> NotesSchema.add(database, "one"))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("is locked by another process");
      assertThat(database.problem()).get().asString().contains("is locked by another process");
      assertThat(NotesSchema.count(database)).isZero();
      locking.process().destroyForcibly().waitFor();
      assertThat(NotesSchema.add(database, "one")).isEqualTo(1);
      assertThat(database.problem()).isEmpty();
    }
  }

  @Test
  void migrationsAreNumberedWithoutHoles() {
    assertThatThrownBy(() -> open(NotesSchema.FIRST, new Migration(3, "three", "select 1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("migration 3 stands at place 2");
  }
}
