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

/** Backups made while others write, and put back. */
class BackupTest {
  private static final Backup.Progress UNHEARD = (pages, of) -> {};

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
    try (Database database = Notes.open(file)) {
      Notes.addMany(database, "a", 40_000);
      // Two notes a transaction, at each step of the copy: a moment between transactions is even.
      database.backup(
          copy,
          (pages, of) -> {
            steps.add(pages);
            assertThat(pages).isLessThanOrEqualTo(of);
            try {
              Notes.addMany(database, "during-" + steps.size() + "-", 2);
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          });
      assertThat(Notes.count(database)).isEqualTo(40_000 + 2 * steps.size());
    }
    assertThat(steps).hasSizeGreaterThan(2).isSorted();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
        .isEqualTo("rw-------");
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactlyInAnyOrder(directory.resolve("data"), copy);
    }
    try (Database restored = Notes.open(copy)) {
      assertThat(Notes.count(restored)).isEqualTo(40_000);
      assertThat(restored.integrityCheck()).isEmpty();
    }
  }

  @Test
  void backupsAreTakenBesideABusyWriter() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    try (Database database = Notes.open(file)) {
      Thread writing =
          Thread.ofVirtual()
              .start(() -> {
                for (int i = 0; !stop.get(); i++) {
                  try {
                    Notes.addMany(database, "w" + i + "-", 2);
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                }
              });
      for (int i = 0; i < 5; i++) {
        Path to = directory.resolve("backup-" + i);
        database.backup(to, UNHEARD);
        try (Database restored = Notes.open(to)) {
          assertThat(Notes.count(restored) % 2).isZero();
        }
      }
      stop.set(true);
      writing.join();
    }
  }

  @Test
  void aBackupOverwritesNothing() throws Exception {
    Files.writeString(copy, "precious");
    try (Database database = Notes.open(file)) {
      assertThatThrownBy(() -> database.backup(copy, UNHEARD))
          .isInstanceOf(BackupFailed.class)
          .hasMessageContaining("is there already");
    }
    assertThat(copy).hasContent("precious");
  }

  @Test
  void aProgressThatThrowsEndsInNoBackup() throws Exception {
    RuntimeException own = new IllegalArgumentException("own fault");
    try (Database database = Notes.open(file)) {
      assertThatThrownBy(() ->
              database.backup(
                  copy,
                  (pages, of) -> {
                    throw own;
                  }))
          .hasCause(own);
      assertThat(Notes.add(database, "well")).isEqualTo(1);
    }
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(directory.resolve("data"));
    }
  }

  @Test
  void aBackupIntoNowhereIsRefused() throws Exception {
    try (Database database = Notes.open(file)) {
      assertThatThrownBy(() -> database.backup(directory.resolve("no/where"), UNHEARD))
          .isInstanceOf(BackupFailed.class)
          .hasMessageContaining("could not be written");
    }
  }

  private void backUp(String... notes) throws Exception {
    try (Database database = Notes.open(file)) {
      for (String note : notes) {
        Notes.add(database, note);
      }
      database.backup(copy, UNHEARD);
    }
  }

  @Test
  void aRestoreKeepsWhatItReplaces() throws Exception {
    backUp("saved");
    try (Database database = Notes.open(file)) {
      Notes.add(database, "after the backup");
    }
    Path kept = Restore.restore(copy, file, Notes.SCHEMA, (_, _) -> {}).orElseThrow();
    assertThat(kept).isEqualTo(directory.resolve("data/notes.db.replaced-1"));
    try (Database database = Notes.open(file)) {
      assertThat(Notes.texts(database)).containsExactly("saved");
    }
    try (Database database = Notes.open(kept)) {
      assertThat(Notes.texts(database)).containsExactly("saved", "after the backup");
    }
    assertThat(Restore.restore(copy, file, Notes.SCHEMA, (_, _) -> {}).orElseThrow())
        .isEqualTo(directory.resolve("data/notes.db.replaced-2"));
  }

  @Test
  void aRestoreAfterACrashKeepsTheLogThatWasLeft() throws Exception {
    backUp("saved");
    try (OtherProcess crashing = OtherProcess.start("crash", file, "3")) {
      crashing.lines();
    }
    Path kept = Restore.restore(copy, file, Notes.SCHEMA, (_, _) -> {}).orElseThrow();
    try (Database database = Notes.open(file)) {
      assertThat(Notes.texts(database)).containsExactly("saved");
    }
    try (Database database = Notes.open(kept)) {
      assertThat(Notes.count(database)).isEqualTo(4);
    }
  }

  @Test
  void aDamagedDatabaseIsReplacedWithAllThatLiesBesideIt() throws Exception {
    backUp("saved");
    Files.writeString(file, "damaged");
    Files.writeString(SideFiles.log(file), "its log");
    Path kept = Restore.restore(copy, file, Notes.SCHEMA, (_, _) -> {}).orElseThrow();
    assertThat(kept).hasContent("damaged");
    assertThat(SideFiles.log(kept)).hasContent("its log");
    try (Database database = Notes.open(file)) {
      assertThat(Notes.texts(database)).containsExactly("saved");
    }
  }

  @Test
  void aRestoreToWhereNothingIsNeedsNothingKept() throws Exception {
    backUp("saved");
    Path elsewhere = directory.resolve("elsewhere/notes.db");
    assertThat(Restore.restore(copy, elsewhere, Notes.SCHEMA, (_, _) -> {})).isEmpty();
    try (Database database = Notes.open(elsewhere)) {
      assertThat(Notes.texts(database)).containsExactly("saved");
    }
  }

  @Test
  void aDatabaseThatIsOpenIsNotReplaced() throws Exception {
    backUp("saved");
    try (OtherProcess writing = OtherProcess.start("write", file, "w", "1")) {
      assertThat(writing.output().readLine()).isEqualTo("w0");
      assertThatThrownBy(() -> Restore.restore(copy, file, Notes.SCHEMA, (_, _) -> {}))
          .isInstanceOf(BackupFailed.class)
          .hasMessageContaining("is open in a running process");
      assertThat(writing.output().readLine()).startsWith("w");
    }
    try (Database database = Notes.open(file)) {
      assertThatThrownBy(() -> Restore.restore(copy, file, Notes.SCHEMA, (_, _) -> {}))
          .isInstanceOf(BackupFailed.class);
      assertThat(Notes.texts(database)).contains("saved", "w0");
    }
  }

  @Test
  void aDatabaseWithADamagedFirstPageIsNotReplacedWhileItIsOpen() throws Exception {
    backUp("saved");
    try (OtherProcess writing = OtherProcess.start("write", file, "w", "1")) {
      assertThat(writing.output().readLine()).isEqualTo("w0");
      try (var open = new RandomAccessFile(file.toFile(), "rw")) {
        open.write("This is what a slip of the pen leaves".getBytes(StandardCharsets.UTF_8));
      }
      assertThatThrownBy(() -> Restore.restore(copy, file, Notes.SCHEMA, (_, _) -> {}))
          .isInstanceOf(BackupFailed.class)
          .hasMessageContaining("is open in a running process");
    }
    assertThat(Restore.restore(copy, file, Notes.SCHEMA, (_, _) -> {})).isPresent();
  }

  @Test
  void aRestoreThatFailsHalfwayLeavesEverythingAsItWas() throws Exception {
    backUp("saved");
    Files.createFile(SideFiles.journal(file));
    Files.createFile(SideFiles.unchecked(file));
    Path inTheWay = directory.resolve("data/notes.db.replaced-1-unchecked");
    Files.createDirectories(inTheWay.resolve("full"));
    byte[] before = Files.readAllBytes(file);
    assertThatThrownBy(() -> Restore.restore(copy, file, Notes.SCHEMA, (_, _) -> {}))
        .isInstanceOf(BackupFailed.class);
    assertThat(file).hasBinaryContent(before);
    assertThat(SideFiles.journal(file)).exists();
    assertThat(SideFiles.unchecked(file)).exists();
    assertThat(directory.resolve("data/notes.db.replaced-1")).doesNotExist();
  }

  @Test
  void whoLooksAtACrashedDatabaseLeavesTheSignOfTheCrash() throws Exception {
    try (OtherProcess crashing = OtherProcess.start("crash", file, "3")) {
      crashing.lines();
    }
    long log = Files.size(SideFiles.log(file));
    assertThat(log).isPositive();
    assertThat(Checkup.full(file)).isEmpty();
    Backup.make(file, copy, UNHEARD);
    assertThat(Files.size(SideFiles.log(file))).isEqualTo(log);
    assertThat(Checkup.isDue(file)).isTrue();
    try (Database restored = Notes.open(copy)) {
      assertThat(Notes.count(restored)).isEqualTo(3);
    }
  }

  @Test
  void aDamagedOrNewerOrEmptyBackupIsNotRestored() throws Exception {
    backUp("saved");
    byte[] whole = Files.readAllBytes(copy);
    byte[] damaged = whole.clone();
    java.util.Arrays.fill(damaged, 4_096, 3 * 4_096, (byte) 0x5a);
    Files.write(copy, damaged);
    notRestored(Notes.SCHEMA, "it is damaged");
    Files.write(copy, whole);
    notRestored(List.of(), "this build knows up to 0");
    Files.write(copy, new byte[0]);
    notRestored(Notes.SCHEMA, "it is empty");
    Files.delete(copy);
    notRestored(Notes.SCHEMA, "There is no database");
  }

  private void notRestored(List<Migration> known, String why) throws Exception {
    assertThatThrownBy(() -> Restore.restore(copy, file, known, (_, _) -> {}))
        .isInstanceOf(BackupFailed.class)
        .hasMessageContaining(why);
    try (Database database = Notes.open(file)) {
      assertThat(Notes.texts(database)).containsExactly("saved");
    }
  }
}
