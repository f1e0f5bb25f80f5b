package joshua.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups made during writes, and restored. */
class DatabaseBackupTest {
  private static final DatabaseBackup.Progress UNHEARD = (pages, of) -> {};

  @TempDir Path directory;
  private Path file;
  private Path copy;

  @BeforeEach
  void names() {
    file = directory.resolve("data/notes.db");
    copy = directory.resolve("notes.backup");
  }

  @Test
  void aBackupIsOneMomentOfADatabaseThatIsWrittenTo() throws Exception {
    List<Integer> steps = new ArrayList<>();
    try (Database database = NotesSchema.open(file)) {
      NotesSchema.addMany(database, "a", 40_000);
      // Two notes per transaction, at each step of the copy: any snapshot has an even number.
      database.backup(
          copy,
          (pages, of) -> {
            steps.add(pages);
            assertThat(pages).isLessThanOrEqualTo(of);
            try {
              NotesSchema.addMany(database, "during-" + steps.size() + "-", 2);
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          });
      assertThat(NotesSchema.count(database)).isEqualTo(40_000 + 2 * steps.size());
    }
    assertThat(steps).hasSizeGreaterThan(2).isSorted();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
        .isEqualTo("rw-------");
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactlyInAnyOrder(directory.resolve("data"), copy);
    }
    try (Database restored = NotesSchema.open(copy)) {
      assertThat(NotesSchema.count(restored)).isEqualTo(40_000);
      assertThat(restored.integrityCheck()).isEmpty();
    }
  }

  @Test
  void backupsAreTakenBesideABusyWriter() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    try (Database database = NotesSchema.open(file)) {
      Thread writing =
          Thread.ofVirtual()
              .start(() -> {
                for (int i = 0; !stop.get(); i++) {
                  try {
                    NotesSchema.addMany(database, "w" + i + "-", 2);
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                }
              });
      for (int i = 0; i < 5; i++) {
        Path to = directory.resolve("backup-" + i);
        database.backup(to, UNHEARD);
        try (Database restored = NotesSchema.open(to)) {
          assertThat(NotesSchema.count(restored) % 2).isZero();
        }
      }
      stop.set(true);
      writing.join();
    }
  }

  @Test
  void aBackupOverwritesNothing() throws Exception {
    Files.writeString(copy, "precious");
    try (Database database = NotesSchema.open(file)) {
      assertThatThrownBy(() -> database.backup(copy, UNHEARD))
          .isInstanceOf(BackupFailedException.class)
          .hasMessageContaining("is there already");
    }
    assertThat(copy).hasContent("precious");
  }

  @Test
  void aProgressThatThrowsEndsInNoBackup() throws Exception {
    RuntimeException own = new IllegalArgumentException("own fault");
    try (Database database = NotesSchema.open(file)) {
      assertThatThrownBy(() ->
              database.backup(
                  copy,
                  (pages, of) -> {
                    throw own;
                  }))
          .hasCause(own);
      assertThat(NotesSchema.add(database, "well")).isEqualTo(1);
    }
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(directory.resolve("data"));
    }
  }

  @Test
  void aBackupIntoNowhereIsRefused() throws Exception {
    try (Database database = NotesSchema.open(file)) {
      assertThatThrownBy(() -> database.backup(directory.resolve("no/where"), UNHEARD))
          .isInstanceOf(BackupFailedException.class)
          .hasMessageContaining("could not be written");
    }
  }

  private void backUp(String... notes) throws Exception {
    try (Database database = NotesSchema.open(file)) {
      for (String note : notes) {
        NotesSchema.add(database, note);
      }
      database.backup(copy, UNHEARD);
    }
  }

  @Test
  void aRestoreKeepsWhatItReplaces() throws Exception {
    backUp("saved");
    try (Database database = NotesSchema.open(file)) {
      NotesSchema.add(database, "after the backup");
    }
    Path kept = DatabaseRestore.restore(copy, file, NotesSchema.SCHEMA, (_, _) -> {}).orElseThrow();
    assertThat(kept).isEqualTo(directory.resolve("data/notes.db.replaced-1"));
    try (Database database = NotesSchema.open(file)) {
      assertThat(NotesSchema.texts(database)).containsExactly("saved");
    }
    try (Database database = NotesSchema.open(kept)) {
      assertThat(NotesSchema.texts(database)).containsExactly("saved", "after the backup");
    }
    assertThat(DatabaseRestore.restore(copy, file, NotesSchema.SCHEMA, (_, _) -> {}).orElseThrow())
        .isEqualTo(directory.resolve("data/notes.db.replaced-2"));
  }

  @Test
  void aRestoreAfterACrashKeepsTheLogThatWasLeft() throws Exception {
    backUp("saved");
    try (DatabaseProcess crashing = DatabaseProcess.start("crash", file, "3")) {
      crashing.lines();
    }
    Path kept = DatabaseRestore.restore(copy, file, NotesSchema.SCHEMA, (_, _) -> {}).orElseThrow();
    try (Database database = NotesSchema.open(file)) {
      assertThat(NotesSchema.texts(database)).containsExactly("saved");
    }
    try (Database database = NotesSchema.open(kept)) {
      assertThat(NotesSchema.count(database)).isEqualTo(4);
    }
  }

  @Test
  void aDamagedDatabaseIsReplacedWithAllThatLiesBesideIt() throws Exception {
    backUp("saved");
    Files.writeString(file, "damaged");
    Files.writeString(SideFiles.log(file), "its log");
    Path kept = DatabaseRestore.restore(copy, file, NotesSchema.SCHEMA, (_, _) -> {}).orElseThrow();
    assertThat(kept).hasContent("damaged");
    assertThat(SideFiles.log(kept)).hasContent("its log");
    try (Database database = NotesSchema.open(file)) {
      assertThat(NotesSchema.texts(database)).containsExactly("saved");
    }
  }

  @Test
  void aRestoreToWhereNothingIsNeedsNothingKept() throws Exception {
    backUp("saved");
    Path elsewhere = directory.resolve("elsewhere/notes.db");
    assertThat(DatabaseRestore.restore(copy, elsewhere, NotesSchema.SCHEMA, (_, _) -> {}))
        .isEmpty();
    try (Database database = NotesSchema.open(elsewhere)) {
      assertThat(NotesSchema.texts(database)).containsExactly("saved");
    }
  }

  @Test
  void aDatabaseThatIsOpenIsNotReplaced() throws Exception {
    backUp("saved");
    try (DatabaseProcess writing = DatabaseProcess.start("write", file, "w", "1")) {
      assertThat(writing.output().readLine()).isEqualTo("w0");
      assertThatThrownBy(
              () -> DatabaseRestore.restore(copy, file, NotesSchema.SCHEMA, (_, _) -> {}))
          .isInstanceOf(BackupFailedException.class)
          .hasMessageContaining("is open in a running process");
      assertThat(writing.output().readLine()).startsWith("w");
    }
    try (Database database = NotesSchema.open(file)) {
      assertThatThrownBy(
              () -> DatabaseRestore.restore(copy, file, NotesSchema.SCHEMA, (_, _) -> {}))
          .isInstanceOf(BackupFailedException.class);
      assertThat(NotesSchema.texts(database)).contains("saved", "w0");
    }
  }

  @Test
  void aDatabaseWithADamagedFirstPageIsNotReplacedWhileItIsOpen() throws Exception {
    backUp("saved");
    try (DatabaseProcess writing = DatabaseProcess.start("write", file, "w", "1")) {
      assertThat(writing.output().readLine()).isEqualTo("w0");
      try (var open = new RandomAccessFile(file.toFile(), "rw")) {
        open.write("This is what a slip of the pen leaves".getBytes(StandardCharsets.UTF_8));
      }
      assertThatThrownBy(
              () -> DatabaseRestore.restore(copy, file, NotesSchema.SCHEMA, (_, _) -> {}))
          .isInstanceOf(BackupFailedException.class)
          .hasMessageContaining("is open in a running process");
    }
    assertThat(DatabaseRestore.restore(copy, file, NotesSchema.SCHEMA, (_, _) -> {})).isPresent();
  }

  @Test
  void aRestoreThatFailsHalfwayLeavesEverythingAsItWas() throws Exception {
    backUp("saved");
    Files.createFile(SideFiles.journal(file));
    Files.createFile(SideFiles.unchecked(file));
    Path inTheWay = directory.resolve("data/notes.db.replaced-1-unchecked");
    Files.createDirectories(inTheWay.resolve("full"));
    byte[] before = Files.readAllBytes(file);
    assertThatThrownBy(() -> DatabaseRestore.restore(copy, file, NotesSchema.SCHEMA, (_, _) -> {}))
        .isInstanceOf(BackupFailedException.class);
    assertThat(file).hasBinaryContent(before);
    assertThat(SideFiles.journal(file)).exists();
    assertThat(SideFiles.unchecked(file)).exists();
    assertThat(directory.resolve("data/notes.db.replaced-1")).doesNotExist();
  }

  @Test
  void whoLooksAtACrashedDatabaseLeavesTheSignOfTheCrash() throws Exception {
    try (DatabaseProcess crashing = DatabaseProcess.start("crash", file, "3")) {
      crashing.lines();
    }
    long log = Files.size(SideFiles.log(file));
    assertThat(log).isPositive();
    assertThat(IntegrityCheck.full(file)).isEmpty();
    DatabaseBackup.make(file, copy, UNHEARD);
    assertThat(Files.size(SideFiles.log(file))).isEqualTo(log);
    assertThat(IntegrityCheck.isDue(file)).isTrue();
    try (Database restored = NotesSchema.open(copy)) {
      assertThat(NotesSchema.count(restored)).isEqualTo(3);
    }
  }

  @Test
  void aDamagedOrNewerOrEmptyBackupIsNotRestored() throws Exception {
    backUp("saved");
    byte[] whole = Files.readAllBytes(copy);
    byte[] damaged = whole.clone();
    java.util.Arrays.fill(damaged, 4_096, 3 * 4_096, (byte) 0x5a);
    Files.write(copy, damaged);
    notRestored(NotesSchema.SCHEMA, "it is damaged");
    Files.write(copy, whole);
    notRestored(List.of(), "this build knows up to 0");
    Files.write(copy, new byte[0]);
    notRestored(NotesSchema.SCHEMA, "it is empty");
    Files.delete(copy);
    notRestored(NotesSchema.SCHEMA, "There is no database");
  }

  private void notRestored(List<Migration> known, String why) throws Exception {
    assertThatThrownBy(() -> DatabaseRestore.restore(copy, file, known, (_, _) -> {}))
        .isInstanceOf(BackupFailedException.class)
        .hasMessageContaining(why);
    try (Database database = NotesSchema.open(file)) {
      assertThat(NotesSchema.texts(database)).containsExactly("saved");
    }
  }
}
