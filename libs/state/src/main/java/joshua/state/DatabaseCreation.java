package joshua.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How a database comes to be: a mark beside it says so from before the file is there until it has
 * its schema. SQLite takes an empty file for a new database; one without that mark is what is left
 * of a database that was there.
 */
final class DatabaseCreation {
  private DatabaseCreation() {}

  /**
   * Makes an empty file, unless there is one.
   *
   * @throws CannotOpenException if there is one that is empty, and nobody was making it
   */
  static void begin(Path file) throws IOException, CannotOpenException {
    if (Files.notExists(file)) {
      OwnerOnlyPath.create(SideFiles.fresh(file));
      // A power cut may not leave the file without the mark.
      OwnerOnlyPath.force(file.resolveSibling("."));
      OwnerOnlyPath.create(file);
    } else if (isCutOff(file)) {
      throw new CannotOpenException(new SqliteErrors(file).empty());
    }
  }

  /** It has its schema now. */
  static void ended(Path file) throws IOException {
    Files.deleteIfExists(SideFiles.fresh(file));
  }

  /** Whether a file has lost what was in it. Another process may just be making it. */
  static boolean isCutOff(Path file) throws IOException {
    return isEmpty(file) && Files.notExists(SideFiles.fresh(file)) && isEmpty(file);
  }

  private static boolean isEmpty(Path file) throws IOException {
    return Files.isRegularFile(file) && Files.size(file) == 0;
  }
}
