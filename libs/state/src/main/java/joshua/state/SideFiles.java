package joshua.state;

import java.nio.file.Path;
import java.util.List;

/** The files beside a database that describe its state, and are gone after a clean stop. */
final class SideFiles {
  private SideFiles() {}

  /** Holds commits until they are moved into the database. */
  static Path log(Path file) {
    return file.resolveSibling(file.getFileName() + "-wal");
  }

  static Path sharedMemory(Path file) {
    return file.resolveSibling(file.getFileName() + "-shm");
  }

  /** Holds the rollback data of a database that isn't in WAL mode. */
  static Path journal(Path file) {
    return file.resolveSibling(file.getFileName() + "-journal");
  }

  /** Our own marker that a check is due; empty. */
  static Path unchecked(Path file) {
    return file.resolveSibling(file.getFileName() + "-unchecked");
  }

  /** Our own marker that a database is being created; empty. */
  static Path fresh(Path file) {
    return file.resolveSibling(file.getFileName() + "-fresh");
  }

  static List<Path> of(Path file) {
    return List.of(log(file), sharedMemory(file), journal(file), unchecked(file), fresh(file));
  }
}
