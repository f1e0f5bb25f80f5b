package joshua.state;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A small schema for tests, and operations on it. */
final class NotesSchema {
  static final Migration FIRST =
      new Migration(
          1,
          "notes",
          """
          create table notes (id integer primary key, text text not null unique) strict;
          create table replies (
            id integer primary key,
            note integer not null references notes (id)
          ) strict
          """);

  static final List<Migration> SCHEMA = List.of(FIRST);

  private NotesSchema() {}

  static Database open(Path file) throws CannotOpenException {
    return open(file, new SimpleMeterRegistry());
  }

  static Database open(Path file, SimpleMeterRegistry meters) throws CannotOpenException {
    return Database.open(file, SCHEMA, meters);
  }

  static int add(Connection connection, String text) throws SQLException {
    try (var insert = connection.prepareStatement("insert into notes (text) values (?)")) {
      insert.setString(1, text);
      return insert.executeUpdate();
    }
  }

  static int add(Database database, String text) throws Exception {
    return database.write(connection -> add(connection, text));
  }

  /** Adds this many notes of a kilobyte each, in one transaction. */
  static void addMany(Database database, String prefix, int many) throws Exception {
    String text = "x".repeat(1_000);
    database.write(connection -> {
      for (int i = 0; i < many; i++) {
        add(connection, prefix + i + text);
      }
      return many;
    });
  }

  static int count(Database database) throws Exception {
    return database.read(
        connection -> DatabaseConnections.number(connection, "select count(*) from notes"));
  }

  static List<String> texts(Database database) throws Exception {
    return database.read(
        connection -> DatabaseConnections.texts(connection, "select text from notes order by id"));
  }
}
