package joshua.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import joshua.kernel.ErrorCode;
import joshua.testing.TestRequirements;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Full and read-only disks. If a test needs its own disk, another process mounts one that only it
 * sees.
 */
class DiskIT {
  @TempDir Path directory;

  /** The command prefix for a shell with its own mounts. */
  private static List<String> ownMounts() throws Exception {
    List<List<String>> ways =
        List.of(List.of("unshare", "-rm"), List.of("sudo", "-n", "unshare", "-m"));
    for (List<String> way : ways) {
      List<String> trial = new java.util.ArrayList<>(way);
      trial.add("true");
      try {
        Process process = new ProcessBuilder(trial).start();
        if (process.waitFor() == 0) {
          return way;
        }
      } catch (java.io.IOException e) {
        // There is no such program.
      }
    }
    TestRequirements.thing(
        false, "needs unshare with user namespaces, or sudo without a password (Linux)");
    return List.of();
  }

  /** Runs another process after its own mounts, and returns the lines that it prints. */
  private List<String> mounted(String mounts, String verb, Path file) throws Exception {
    List<String> by = new java.util.ArrayList<>(ownMounts());
    by.addAll(List.of("sh", "-ec", mounts + "; exec \"$@\"", directory.toString()));
    try (DatabaseProcess process = DatabaseProcess.start(by, verb, file)) {
      return process.lines();
    }
  }

  @Test
  void aFullDiskRefusesTheWholeGroupAndHeals() throws Exception {
    List<String> lines =
        mounted("mount -t tmpfs -o size=12m none \"$0\"", "fill", directory.resolve("notes.db"));
    assertThat(lines)
        .hasSize(6)
        .first()
        .asString()
        .startsWith("refused INTERNAL The disk with database ")
        .contains("notes.db is full. Make room on it");
    assertThat(lines.subList(1, 6))
        .containsExactly("same true", "problem true", "well true", "again 1", "whole []");
  }

  @Test
  void aLimitOfPagesRefusesAsAFullDiskDoes() throws Exception {
    try (Database database = NotesSchema.open(directory.resolve("notes.db"))) {
      database.write(connection -> {
        DatabaseConnections.run(connection, "pragma max_page_count = 50");
        return 0;
      });
      assertThatThrownBy(() -> NotesSchema.addMany(database, "a", 1_000))
          .isInstanceOfSatisfying(
              StoreUnavailableException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL))
          .hasMessageContaining("is full");
      assertThat(NotesSchema.count(database)).isZero();
      assertThat(NotesSchema.add(database, "small")).isEqualTo(1);
      assertThat(database.problem()).isEmpty();
    }
  }

  /** An empty commit doesn't show whether there is space. */
  @Test
  void troubleLastsUntilSomethingIsWritten() throws Exception {
    try (Database database = NotesSchema.open(directory.resolve("notes.db"))) {
      database.write(connection -> {
        DatabaseConnections.run(connection, "pragma max_page_count = 50");
        return 0;
      });
      assertThatThrownBy(() -> NotesSchema.addMany(database, "a", 1_000))
          .isInstanceOf(StoreUnavailableException.class);
      for (int i = 0; i < 20; i++) {
        database.write(connection -> DatabaseConnections.number(connection, "select 1"));
        assertThat(database.problem()).isPresent();
        assertThat(database.isFull()).isTrue();
      }
      assertThat(NotesSchema.add(database, "small")).isEqualTo(1);
      assertThat(database.problem()).isEmpty();
      assertThat(database.isFull()).isFalse();
    }
  }

  @Test
  void aBackupToAFullDiskSaysSo() throws Exception {
    Path file = directory.resolve("notes.db");
    try (Database database = NotesSchema.open(file)) {
      NotesSchema.addMany(database, "a", 3_000);
    }
    Files.createDirectory(directory.resolve("backups"));
    assertThat(mounted("mount -t tmpfs -o size=1m none \"$0/backups\"", "backup", file))
        .containsExactly(
            "refused The disk with %s is full: a backup of %s takes %d KiB, and there was no room for that. Make room, or name a directory on another disk. Nothing was left there."
                .formatted(directory.resolve("backups"), file, Files.size(file) / 1_024),
            "left []");
  }

  @Test
  void aBackupOfADatabaseWhoseDiskIsFullIsMadeOrSaysSo() throws Exception {
    assertThat(
            mounted(
                "mount -t tmpfs -o size=12m none \"$0\"",
                "backup-of-full",
                directory.resolve("notes.db")))
        .hasSize(2)
        .first()
        .isEqualTo("full");
  }

  @Test
  void aLimitOnTheSizeOfFilesIsADiskThatCannotBeWrittenTo() throws Exception {
    try (DatabaseProcess process =
        DatabaseProcess.start(
            List.of("sh", "-c", "ulimit -f 11000; exec \"$@\"", "sh"),
            "fill",
            directory.resolve("notes.db"))) {
      assertThat(process.output().readLine())
          .startsWith("refused INTERNAL Database ")
          .contains("could not be read or written", "Look whether its disk is full");
      assertThat(process.output().readLine()).isEqualTo("same true");
    }
  }

  @Test
  void aReadOnlyDirectoryIsRefused() throws Exception {
    Path file = directory.resolve("notes.db");
    NotesSchema.open(file).close();
    assertThat(mounted("mount --bind \"$0\" \"$0\"; mount -o remount,ro,bind \"$0\"", "open", file))
        .singleElement()
        .asString()
        .startsWith("refused ")
        .contains(file.toString(), "Make the file and its directory");
  }

  @Test
  void aReadOnlyFileIsRefused() throws Exception {
    Path file = directory.resolve("notes.db");
    NotesSchema.open(file).close();
    byte[] before = Files.readAllBytes(file);
    assertThat(
            mounted(
                "mount --bind \"$0/notes.db\" \"$0/notes.db\"; mount -o remount,ro,bind \"$0/notes.db\"",
                "open",
                file))
        .singleElement()
        .asString()
        .startsWith("refused ")
        .contains(file.toString(), "Make the file and its directory");
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void aDirectoryThatCannotBeMadeIsRefused() throws Exception {
    Files.writeString(directory.resolve("data"), "a file");
    assertThatThrownBy(() -> NotesSchema.open(directory.resolve("data/notes.db")))
        .isInstanceOf(CannotOpenException.class)
        .hasMessageContaining("Make the file and its directory");
  }

  /** A container with a read-only root can write only to its data directory. */
  @Test
  void onlyTheDirectoryOfTheDatabaseNeedsToBeWritable() throws Exception {
    assertThat(
            mounted(
                "for d in /tmp /var/tmp; do [ \"${0#$d/}\" != \"$0\" ] || mount -t tmpfs -o ro none $d; done; export JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=/nowhere",
                "open",
                directory.resolve("new/notes.db")))
        .containsExactly("notes 1");
    assertThat(directory.resolve("new/native")).isDirectoryRecursivelyContaining("glob:**.so");
  }

  @Test
  void whereNothingMayBeExecutedTheRefusalSaysSo() throws Exception {
    assertThat(
            mounted(
                "mount -t tmpfs -o noexec none \"$0\"; export JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=/nowhere",
                "open",
                directory.resolve("notes.db")))
        .singleElement()
        .asString()
        .startsWith("refused ")
        .contains("noexec", "-Dorg.sqlite.tmpdir");
  }

  @Test
  void theLibraryIsUnpackedOnceAndAgainWhenItIsDamaged() throws Exception {
    Path unpacked = NativeLibrary.unpack(directory);
    Path library;
    try (var files = Files.list(unpacked)) {
      library = files.findFirst().orElseThrow();
    }
    Object first = Files.readAttributes(library, "unix:ino").get("ino");
    NativeLibrary.unpack(directory);
    assertThat(Files.readAttributes(library, "unix:ino").get("ino")).isEqualTo(first);
    byte[] whole = Files.readAllBytes(library);
    byte[] damaged = whole.clone();
    damaged[damaged.length / 2] ^= 1;
    Files.write(library, damaged);
    NativeLibrary.unpack(directory);
    assertThat(Files.readAllBytes(library)).isEqualTo(whole);
    try (var files = Files.list(unpacked)) {
      assertThat(files).hasSize(1);
    }
  }
}
