package joshua.rogers.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import joshua.testing.TempDirectory;
import org.junit.jupiter.api.Test;

class DatabaseLockTest {
  @Test
  void aSecondIsRefusedWithASentenceUntilTheFirstIsDone() throws Exception {
    try (TempDirectory directory = TempDirectory.create("owner")) {
      Path database = directory.path().resolve("rogers").resolve("rogers_state.db");
      DatabaseLock first = DatabaseLock.of(database);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(database.getParent())))
          .isEqualTo("rwx------");
      assertThatThrownBy(() -> DatabaseLock.of(database))
          .isInstanceOf(DatabaseLock.LockRefusedException.class)
          .hasMessage(
              "Database %s is in use by another Rogers (process %d), and two would count everything twice. Stop that one, or give this one a JOSHUA_DATA_DIR of its own."
                  .formatted(database, ProcessHandle.current().pid()));
      first.close();
      DatabaseLock.of(database).close();
    }
  }

  @Test
  void aLockThatCannotBeMadeIsSaidToBeSo() throws Exception {
    try (TempDirectory directory = TempDirectory.create("owner")) {
      Path file = directory.path().resolve("file");
      try (FileChannel any =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        assertThat(any.isOpen()).isTrue();
      }
      assertThatThrownBy(() -> DatabaseLock.of(file.resolve("rogers_state.db")))
          .isInstanceOf(DatabaseLock.LockRefusedException.class)
          .hasMessageContaining("can't be taken");
    }
  }
}
