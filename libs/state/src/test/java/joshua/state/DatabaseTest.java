package joshua.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database as a MAD uses it. */
class DatabaseTest {
  private static final List<Migration> NOTES =
      List.of(
          new Migration(
              1,
              "notes",
              """
              create table notes (id integer primary key, text text not null unique) strict;
              create index notes_by_text on notes (text)
              """));

  @TempDir Path directory;

  private Database open() throws CannotOpen {
    return Database.open(directory.resolve("new/a ?%20 ü.db"), NOTES, new SimpleMeterRegistry());
  }

  private static int insert(Database database, String text) throws Exception {
    return database.write(connection -> {
      try (var insert = connection.prepareStatement("insert into notes (text) values (?)")) {
        insert.setString(1, text);
        return insert.executeUpdate();
      }
    });
  }

  private static int count(Database database) throws Exception {
    return database.read(
        connection -> Connections.number(connection, "select count(*) from notes"));
  }

  @Test
  void whatIsWrittenIsReadAndIsThereAfterTheNextOpen() throws Exception {
    try (Database database = open()) {
      assertThat(insert(database, "one")).isEqualTo(1);
      assertThat(count(database)).isEqualTo(1);
      assertThat(database.problem()).isEmpty();
    }
    try (Database database = open()) {
      assertThat(count(database)).isEqualTo(1);
    }
  }

  @Test
  void onlyTheOwnerMayReadIt() throws Exception {
    try (Database database = open()) {
      insert(database, "one");
      try (var files = Files.list(directory.resolve("new"))) {
        assertThat(files.filter(Files::isRegularFile))
            .hasSizeGreaterThanOrEqualTo(3)
            .allSatisfy(file ->
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------"));
      }
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(directory.resolve("new"))))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void aRefusedStatementIsTheCallersOwn() throws Exception {
    try (Database database = open()) {
      insert(database, "one");
      assertThatThrownBy(() -> insert(database, "one"))
          .isInstanceOf(StatementRefused.class)
          .hasMessageContaining("UNIQUE");
      assertThat(database.problem()).isEmpty();
      assertThat(insert(database, "two")).isEqualTo(1);
    }
  }

  @Test
  void aReaderCannotWrite() throws Exception {
    try (Database database = open()) {
      assertThatThrownBy(() ->
              database.read(connection -> {
                Connections.run(connection, "insert into notes (text) values ('x')");
                return 0;
              }))
          .isInstanceOf(StatementRefused.class);
      assertThat(count(database)).isZero();
    }
  }
}
