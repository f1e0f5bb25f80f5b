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

/** Databases that aren't opened: each refusal says why and what to do, and changes nothing. */
class RefusedOpenIT {
  private static final Migration TAGS =
      new Migration(2, "tags", "alter table notes add column tag text; create table tags (a)");

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void name() {
    file = directory.resolve("notes.db");
  }

  private Database open(Migration... migrations) throws CannotOpen {
    return Database.open(file, List.of(migrations), new SimpleMeterRegistry());
  }

  private void refused(ThrowingCallable opening, String... fragments) {
    assertThatThrownBy(opening)
        .isInstanceOf(CannotOpen.class)
        .message()
        .contains(file.toString())
        .contains(fragments);
  }

  private int schema() throws Exception {
    try (Connection connection = Connections.reading(file)) {
      return Schema.of(connection);
    }
  }

  @Test
  void migrationsLeadFromAnyOlderSchemaToTheNewest() throws Exception {
    try (Database database = open(Notes.FIRST)) {
      Notes.add(database, "kept");
    }
    try (Database database = open(Notes.FIRST, TAGS)) {
      assertThat(Notes.texts(database)).containsExactly("kept");
      assertThat(
              database.<Integer>read(
                  c -> Connections.number(c, "select count(*) from tags, notes where tag is null")))
          .isZero();
    }
    assertThat(schema()).isEqualTo(2);
    open(Notes.FIRST, TAGS).close();
  }

  @Test
  void aNewerSchemaIsLeftAlone() throws Exception {
    open(Notes.FIRST, TAGS).close();
    byte[] before = Files.readAllBytes(file);
    refused(
        () -> open(Notes.FIRST),
        "has schema 2, this build knows up to 1. Start the newer build, or restore the backup");
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void aMigrationThatFailsLeavesTheOldSchema() throws Exception {
    try (Database database = open(Notes.FIRST)) {
      Notes.add(database, "kept");
    }
    Migration bad =
        new Migration(3, "bad", "create table more (a); insert into missing values (1)");
    refused(() -> open(Notes.FIRST, TAGS, bad), "schema 3 (bad): ", "missing", "It is as it was");
    assertThat(schema()).isEqualTo(1);
    try (Database database = open(Notes.FIRST)) {
      assertThat(Notes.texts(database)).containsExactly("kept");
      assertThat(
              database.<List<String>>read(c ->
                  Connections.texts(c, "select name from sqlite_schema where name like '%more'")))
          .isEmpty();
    }
  }

  @Test
  void aMigrationThatLeavesRowsPointingToNothingIsUndone() throws Exception {
    try (Database database = open(Notes.FIRST)) {
      database.write(c -> {
        Connections.run(c, "insert into notes values (1, 'a'); insert into replies values (1, 1)");
        return 0;
      });
    }
    refused(
        () -> open(Notes.FIRST, new Migration(2, "bad", "delete from notes")),
        "rows of replies would point to nothing");
    assertThat(schema()).isEqualTo(1);
  }

  @Test
  void anEmptyFileWhereADatabaseWasIsNoNewDatabase() throws Exception {
    try (Database database = open(Notes.FIRST)) {
      Notes.add(database, "lost");
    }
    Files.write(file, new byte[0]);
    for (int i = 0; i < 2; i++) {
      refused(() -> open(Notes.FIRST), "is empty (0 bytes)", "restore the newest backup", "move");
      assertThat(file).isEmptyFile();
    }
    assertThat(Checkup.condition(file, List.of(Notes.FIRST)).problem().orElseThrow())
        .contains("is empty (0 bytes)");
    assertThatThrownBy(() -> Backup.make(file, directory.resolve("copy.db"), (parts, of) -> {}))
        .isInstanceOf(BackupFailed.class)
        .hasMessageContaining("is empty (0 bytes)");

    Files.delete(file);
    open(Notes.FIRST).close();
    assertThat(directory).isDirectoryNotContaining("glob:**-fresh");
  }

  /** A kill right after the file was made must not keep every later start from making it. */
  @Test
  void aStartThatWasKilledWhileItMadeTheFileIsMadeUpFor() throws Exception {
    DatabaseCreation.begin(file);
    assertThat(file).isEmptyFile();
    try (Database database = open(Notes.FIRST)) {
      assertThat(Notes.add(database, "kept")).isEqualTo(1);
    }
    assertThat(directory).isDirectoryNotContaining("glob:**-fresh");
    Files.write(file, new byte[0]);
    refused(() -> open(Notes.FIRST), "is empty (0 bytes)");
  }

  @Test
  void whatIsNoDatabaseIsLeftAlone() throws Exception {
    String letter = "Dear reader, ".repeat(100);
    Files.writeString(file, letter);
    refused(() -> open(Notes.FIRST), "is not a SQLite database", "Move it away");
    assertThat(file).hasContent(letter);
  }

  @Test
  void aDatabaseOfSomebodyElseIsLeftAlone() throws Exception {
    try (Connection connection = Connections.writing(file)) {
      Connections.run(connection, "create table theirs (a)");
    }
    byte[] before = Files.readAllBytes(file);
    refused(() -> open(Notes.FIRST), "somebody else", "Name another file");
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void aDirectoryIsNoDatabase() throws Exception {
    Files.createDirectory(file);
    refused(() -> open(Notes.FIRST), "can't be opened");
  }

  @Test
  void afterAnUncleanStopADamagedFileIsRefused() throws Exception {
    try (Database database = Notes.open(file)) {
      Notes.addMany(database, "a", 1_000);
    }
    try (OtherProcess crashing = OtherProcess.start("crash", file, "1")) {
      crashing.lines();
    }
    overwrite(file, 100 * 4_096, 50 * 4_096);
    for (int start = 1; start <= 2; start++) {
      refused(() -> Notes.open(file), "is damaged (", "restore the newest backup");
    }
    assertThat(Checkup.full(file)).isNotEmpty();
  }

  @Test
  void damageFoundByAReadIsAClearAnswer() throws Exception {
    try (Database database = Notes.open(file)) {
      Notes.addMany(database, "a", 1_000);
    }
    overwrite(file, 10 * 4_096, 200 * 4_096);
    try (Database database = Notes.open(file)) {
      assertThatThrownBy(() -> Notes.texts(database))
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining("is damaged");
      assertThat(database.integrityCheck()).isNotEmpty();
      // A commit elsewhere in the file doesn't make it whole.
      database.write(connection -> {
        Connections.run(connection, "create table other (a)");
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
    Notes.open(file).close();
    try (OtherProcess locking = OtherProcess.start("lock", file)) {
      assertThat(locking.output().readLine()).isEqualTo("locked");
      refused(() -> Notes.open(file), "is locked by another process", "fuser " + file);
      locking.process().outputWriter().write("\n");
      locking.process().outputWriter().flush();
      locking.lines();
    }
    try (Database database = Notes.open(file)) {
      assertThat(Notes.count(database)).isZero();
    }
  }

  @Test
  void whileAnotherProcessKeepsTheFileLockedWritesAreRefusedAndReadsGoOn() throws Exception {
    try (Database database = Notes.open(file);
        OtherProcess locking = OtherProcess.start("lock", file)) {
      assertThat(locking.output().readLine()).isEqualTo("locked");
      assertThatThrownBy(() -> Notes.add(database, "one"))
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining("is locked by another process");
      assertThat(database.problem()).get().asString().contains("is locked by another process");
      assertThat(Notes.count(database)).isZero();
      locking.process().destroyForcibly().waitFor();
      assertThat(Notes.add(database, "one")).isEqualTo(1);
      assertThat(database.problem()).isEmpty();
    }
  }

  @Test
  void migrationsAreNumberedWithoutHoles() {
    assertThatThrownBy(() -> open(Notes.FIRST, new Migration(3, "three", "select 1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("migration 3 stands at place 2");
  }
}
