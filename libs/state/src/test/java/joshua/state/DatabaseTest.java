package joshua.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import joshua.kernel.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database as a MAD uses it. */
class DatabaseTest {
  @TempDir Path directory;

  private Database open() throws CannotOpenException {
    return NotesSchema.open(directory.resolve("new/a ?%20 ü.db"));
  }

  @Test
  void whatIsWrittenIsReadAndIsThereAfterTheNextOpen() throws Exception {
    try (Database database = open()) {
      assertThat(NotesSchema.add(database, "one")).isEqualTo(1);
      assertThat(NotesSchema.texts(database)).containsExactly("one");
      assertThat(database.problem()).isEmpty();
    }
    try (Database database = open()) {
      assertThat(NotesSchema.texts(database)).containsExactly("one");
    }
    try (var files = Files.list(directory.resolve("new"))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .contains("a ?%20 ü.db")
          .isSubsetOf("a ?%20 ü.db", "native");
    }
  }

  @Test
  void itIsDurableAndItsReferencesHold() throws Exception {
    try (Database database = open()) {
      assertThat(
              database.<String>write(connection ->
                  DatabaseConnections.texts(connection, "pragma journal_mode")
                      + " "
                      + DatabaseConnections.number(connection, "pragma synchronous")))
          .isEqualTo("[wal] 2");
      assertThatThrownBy(() ->
              database.write(connection -> {
                DatabaseConnections.run(connection, "insert into replies (note) values (7)");
                return 0;
              }))
          .isInstanceOf(StatementRefusedException.class)
          .hasMessageContaining("FOREIGN KEY");
    }
  }

  @Test
  void aReadWithATimeLimitEndsAndLeavesTheThreadToOthers() throws Exception {
    String someSeconds =
        """
        with recursive n (i) as (select 1 union all select i + 1 from n where i < 50000000)
        select count(*) from n
        """;
    try (Database database = open()) {
      NotesSchema.add(database, "one");
      for (int i = 0; i <= Database.READERS; i++) {
        assertThatThrownBy(() ->
                database.read(
                    Duration.ofMillis(100),
                    connection -> DatabaseConnections.number(connection, someSeconds)))
            .isInstanceOf(ReadTooLongException.class)
            .hasMessageContaining("Ask for less");
      }
      assertThat(
              database.<Integer>read(
                  Duration.ofMinutes(1),
                  connection ->
                      DatabaseConnections.number(connection, "select count(*) from notes")))
          .isEqualTo(1);
      assertThat(NotesSchema.texts(database)).containsExactly("one");
      assertThat(database.problem()).isEmpty();
    }
  }

  @Test
  void onlyTheOwnerMayReadIt() throws Exception {
    try (Database database = open()) {
      NotesSchema.add(database, "one");
      try (var files = Files.list(directory.resolve("new"))) {
        assertThat(files.filter(Files::isRegularFile))
            .hasSize(3)
            .allSatisfy(file -> assertThat(mode(file)).isEqualTo("rw-------"));
      }
      assertThat(mode(directory.resolve("new"))).isEqualTo("rwx------");
    }
  }

  private static String mode(Path file) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void aRefusedStatementIsTheCallersOwn() throws Exception {
    try (Database database = open()) {
      NotesSchema.add(database, "one");
      assertThatThrownBy(() -> NotesSchema.add(database, "one"))
          .isInstanceOf(StatementRefusedException.class)
          .hasMessageContaining("UNIQUE");
      assertThat(database.problem()).isEmpty();
      assertThat(NotesSchema.add(database, "two")).isEqualTo(1);
    }
  }

  @Test
  void aReaderCannotWrite() throws Exception {
    try (Database database = open()) {
      assertThatThrownBy(() -> database.read(connection -> NotesSchema.add(connection, "one")))
          .isInstanceOf(StatementRefusedException.class);
      assertThat(NotesSchema.count(database)).isZero();
    }
  }

  @Test
  void aReaderSeesOneSnapshot() throws Exception {
    try (Database database = open()) {
      NotesSchema.add(database, "one");
      boolean same =
          database.read(connection -> {
            int before = DatabaseConnections.number(connection, "select count(*) from notes");
            try {
              NotesSchema.add(database, "two");
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
            return before == DatabaseConnections.number(connection, "select count(*) from notes");
          });
      assertThat(same).isTrue();
      assertThat(NotesSchema.count(database)).isEqualTo(2);
    }
  }

  @Test
  void aFileThatIsReplacedOrDeletedUnderItIsNoticed() throws Exception {
    try (Database database = open()) {
      assertThat(database.problem()).isEmpty();
      Path aside = database.file().resolveSibling("aside.db");
      Files.move(database.file(), aside);
      assertThat(database.problem()).get().asString().contains("deleted or replaced");
      Files.createFile(database.file());
      assertThat(database.problem()).get().asString().contains("deleted or replaced");
      Files.move(aside, database.file(), StandardCopyOption.REPLACE_EXISTING);
      assertThat(database.problem()).isEmpty();
    }
  }

  @Test
  void aClosedDatabaseRefuses() throws Exception {
    Database database = open();
    database.close();
    database.close();
    assertThatThrownBy(() -> NotesSchema.add(database, "one"))
        .isInstanceOfSatisfying(
            StoreUnavailableException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL))
        .hasMessageContaining("has been closed");
  }
}
