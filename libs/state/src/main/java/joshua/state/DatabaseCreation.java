package joshua.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The creation of a database: a marker file beside it exists from before the file does until it has
 * its schema. SQLite takes an empty file for a new database; without the marker, an empty file is
 * the remains of an existing database.
 */
final class DatabaseCreation {
  private DatabaseCreation() {}

  /**
   * Creates an empty file, unless there is one.
   *
   * @throws CannotOpenException if there is one that is empty and has no marker
   */
  static void begin(Path file) throws IOException, CannotOpenException {
    if (Files.notExists(file)) {
      OwnerOnlyPath.create(SideFiles.fresh(file));
      // Otherwise a power cut could leave the file without the marker.
      OwnerOnlyPath.force(file.resolveSibling("."));
      OwnerOnlyPath.create(file);
    } else if (isCutOff(file)) {
      throw new CannotOpenException(new SqliteErrors(file).empty());
    }
  }

  /** Removes the marker: the database has its schema now. */
  static void ended(Path file) throws IOException {
    Files.deleteIfExists(SideFiles.fresh(file));
  }

  /** Whether a file has lost its content. Another process may just be creating it. */
  static boolean isCutOff(Path file) throws IOException {
    return isEmpty(file) && Files.notExists(SideFiles.fresh(file)) && isEmpty(file);
  }

  private static boolean isEmpty(Path file) throws IOException {
    return Files.isRegularFile(file) && Files.size(file) == 0;
  }
}
