package joshua.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes on one file, killed or concurrent. */
class KilledProcessIT {
  private static final int ACKNOWLEDGED = 500;

  @TempDir Path directory;

  /** Reads this many acknowledged notes, kills the process, reads its remaining output. */
  private static List<String> acknowledgedUntilKilled(DatabaseProcess writing) throws Exception {
    List<String> acknowledged = new ArrayList<>();
    while (acknowledged.size() < ACKNOWLEDGED) {
      acknowledged.add(String.valueOf(writing.output().readLine()));
    }
    writing.kill();
    List<String> rest = writing.lines();
    // The last line may have been cut off by the kill.
    acknowledged.addAll(rest.subList(0, Math.max(0, rest.size() - 1)));
    return acknowledged;
  }

  @Test
  void whatWasAcknowledgedBeforeAKillIsThere() throws Exception {
    Path file = directory.resolve("notes.db");
    try (DatabaseProcess writing = DatabaseProcess.start("write", file, "a", "8")) {
      List<String> acknowledged = acknowledgedUntilKilled(writing);
      assertThat(SideFiles.log(file)).isNotEmptyFile();
      try (Database database = NotesSchema.open(file)) {
        assertThat(NotesSchema.texts(database)).containsAll(acknowledged);
        assertThat(database.integrityCheck()).isEmpty();
      }
    }
    assertThat(SideFiles.of(file)).noneMatch(Files::exists);
  }

  @Test
  void twoProcessesWriteToOneFileAndOneIsKilled() throws Exception {
    Path file = directory.resolve("notes.db");
    try (Database database = NotesSchema.open(file);
        DatabaseProcess writing = DatabaseProcess.start("write", file, "other", "4")) {
      assertThat(writing.output().readLine()).startsWith("other");
      Set<String> mine = new HashSet<>();
      Thread caller =
          Thread.ofVirtual()
              .start(() -> {
                for (int i = 0; i < 100; i++) {
                  try {
                    NotesSchema.add(database, "mine" + i);
                    mine.add("mine" + i);
                  } catch (Exception e) {
                    mine.add(e.toString());
                  }
                }
              });
      List<String> acknowledged = acknowledgedUntilKilled(writing);
      caller.join();
      assertThat(mine).hasSize(100).allMatch(text -> text.startsWith("mine"));
      assertThat(NotesSchema.texts(database)).containsAll(mine).containsAll(acknowledged);
      assertThat(database.integrityCheck()).isEmpty();
    }
  }

  @Test
  void aNewFileIsOpenedByManyAtOnce() throws Exception {
    Path file = directory.resolve("notes.db");
    List<DatabaseProcess> others = new ArrayList<>();
    List<CompletableFuture<Integer>> ours = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      others.add(DatabaseProcess.start("open", file));
    }
    for (int i = 0; i < 6; i++) {
      String text = "ours " + i;
      ours.add(
          CompletableFuture.supplyAsync(
              () -> {
                try (Database database = NotesSchema.open(file)) {
                  return NotesSchema.add(database, text);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              },
              task -> Thread.ofVirtual().start(task)));
    }
    for (CompletableFuture<Integer> each : ours) {
      assertThat(each.get()).isEqualTo(1);
    }
    for (DatabaseProcess other : others) {
      try (other) {
        assertThat(other.lines()).containsExactly("notes 1");
      }
    }
    try (Database database = NotesSchema.open(file)) {
      assertThat(NotesSchema.count(database)).isEqualTo(9);
    }
  }

  @Test
  void aLogThatLostItsEndGivesWhatItHoldsWhole() throws Exception {
    Path file = directory.resolve("notes.db");
    try (DatabaseProcess writing = DatabaseProcess.start("write", file, "a", "1")) {
      acknowledgedUntilKilled(writing);
    }
    Path log = SideFiles.log(file);
    try (var channel = Files.newByteChannel(log, java.nio.file.StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() / 2 + 100);
    }
    try (Database database = NotesSchema.open(file)) {
      List<String> texts = NotesSchema.texts(database);
      assertThat(texts).isNotEmpty();
      for (int i = 0; i < texts.size(); i++) {
        assertThat(texts.get(i)).isEqualTo("a" + i);
      }
      assertThat(database.integrityCheck()).isEmpty();
    }
  }
}
