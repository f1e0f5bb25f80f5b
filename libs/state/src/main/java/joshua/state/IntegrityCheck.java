package joshua.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The check of whether a database is intact. */
public final class IntegrityCheck {
  private static final List<String> WHOLE = List.of("ok");
  private static final int MOST_FINDINGS = 100;

  /**
   * The state of a database on disk, before its pages are checked.
   *
   * @param bytes its size
   * @param logBytes the size of its write-ahead log; 0 after a clean stop
   * @param unchecked whether the check that follows an unclean stop hasn't been passed yet
   * @param problem why this build can't use it, a sentence with what to do
   */
  public record Condition(long bytes, long logBytes, boolean unchecked, Optional<String> problem) {}

  private IntegrityCheck() {}

  /**
   * Examines an existing database, open or not, and changes nothing.
   *
   * @param migrations its schema, as this build knows it
   */
  public static Condition condition(Path file, List<Migration> migrations) throws IOException {
    Path absolute = file.toAbsolutePath().normalize();
    Path log = SideFiles.log(absolute);
    return new Condition(
        Files.size(absolute),
        Files.exists(log) ? Files.size(log) : 0,
        Files.exists(SideFiles.unchecked(absolute)),
        problem(absolute, migrations));
  }

  private static Optional<String> problem(Path file, List<Migration> migrations)
      throws IOException {
    if (DatabaseCreation.isCutOff(file)) {
      return Optional.of(new SqliteErrors(file).empty());
    }
    try (Connection connection = DatabaseConnections.lookingOn(file)) {
      new DatabaseSchema(file, migrations).check(connection);
      return Optional.empty();
    } catch (SQLException e) {
      return Optional.ofNullable(new SqliteErrors(file).cannotOpen(e).getMessage());
    } catch (CannotOpenException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }

  /**
   * Checks every page, index and reference of a database, open or not, and changes nothing; takes
   * about 15 s per GB.
   *
   * @return the problems found, at most about a hundred lines; empty if all is well
   */
  public static List<String> full(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    if (!Files.isRegularFile(absolute)) {
      return List.of("There is no database " + absolute + ".");
    }
    List<String> findings = new ArrayList<>();
    try (Connection connection = DatabaseConnections.lookingOn(absolute)) {
      findings.addAll(
          DatabaseConnections.texts(connection, "pragma integrity_check(" + MOST_FINDINGS + ")"));
      findings.removeAll(WHOLE);
      DatabaseConnections.texts(
              connection,
              "select distinct \"table\" from pragma_foreign_key_check limit " + MOST_FINDINGS)
          .forEach(table -> findings.add("Rows of table " + table + " point to nothing"));
    } catch (SQLException e) {
      findings.add(new SqliteErrors(absolute).cannotOpen(e).getMessage());
    }
    return findings;
  }

  /**
   * Whether the file must be checked before use: the last process that had it open didn't close it
   * (closing removes the write-ahead log), or such a check hasn't been passed yet. Also true while
   * another process has it open. Leaves a marker until {@link #passed}, because the end of a
   * refused start removes the log, too.
   */
  static boolean isDue(Path file) throws IOException {
    Path log = SideFiles.log(file);
    if (Files.exists(log) && Files.size(log) > 0) {
      OwnerOnlyPath.create(SideFiles.unchecked(file));
      OwnerOnlyPath.force(file.resolveSibling("."));
    }
    return Files.exists(SideFiles.unchecked(file));
  }

  static void passed(Path file) throws IOException {
    Files.deleteIfExists(SideFiles.unchecked(file));
  }

  /** Checks everything except that indexes agree with their tables. */
  static void quick(Path file, Connection connection) throws SQLException, CannotOpenException {
    List<String> findings = DatabaseConnections.texts(connection, "pragma quick_check(1)");
    if (!findings.equals(WHOLE)) {
      throw new CannotOpenException(new SqliteErrors(file).damaged(findings.getFirst()));
    }
  }
}
