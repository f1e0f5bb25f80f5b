package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
  private static final RunFile RUN =
      new RunFile(
          UUID.fromString("01890a5d-ac96-774b-bcce-b302099a8057"),
          Instant.parse("2026-11-21T12:00:00Z"),
          Map.of("joshua", 4711L, "redis", 4712L),
          Map.of("grace", 8000),
          Map.of("redis", "redis 7.0.15, bundled with Joshua"));

  @TempDir Path parent;

  private Path path() {
    return parent.resolve("data");
  }

  @Test
  void whatRunsIsFoundWhileTheDirectoryIsHeld() throws Exception {
    try (DataDirectory data = DataDirectory.hold(path())) {
      assertThat(RunFile.find(path())).isEmpty();
      data.publish(RUN);
      assertThat(RunFile.find(path())).contains(RUN);
    }
    assertThat(RunFile.find(path())).isEmpty();
    assertThat(path().resolve("run.json")).doesNotExist();
  }

  @Test
  void theFileHasTheShapeOfTheContractAndIsForTheOwnerAlone() throws Exception {
    try (DataDirectory data = DataDirectory.hold(path())) {
      data.publish(RUN);
      Path file = path().resolve("run.json");
      assertThat(file)
          .hasContent(
              """
              {"epoch":"01890a5d-ac96-774b-bcce-b302099a8057","started_at":"2026-11-21T12:00:00Z",\
              "pids":{"joshua":4711,"redis":4712},"ports":{"grace":8000},\
              "programs":{"redis":"redis 7.0.15, bundled with Joshua"}}
              """);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path())))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void aFileLeftBehindByAKilledProcessIsNotBelieved() throws Exception {
    Files.createDirectory(path());
    RUN.write(path());
    assertThat(RunFile.find(path())).isEmpty();
    try (DataDirectory data = DataDirectory.hold(path())) {
      assertThat(data.path()).isEqualTo(path());
    }
  }

  @Test
  void aDirectoryThatOthersCanWriteToIsRefused() throws Exception {
    Files.createDirectory(path());
    Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatThrownBy(() -> DataDirectory.hold(path()))
        .isInstanceOf(ServiceUnavailableException.class)
        .hasMessageContaining("can be written by its group or by everybody (rwxrwxrwx)")
        .hasMessageContaining("chmod go-w " + path());
    assertThat(path()).isEmptyDirectory();
    Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString("rwxr-xr-x"));
    try (DataDirectory data = DataDirectory.hold(path())) {
      assertThat(data.path()).isEqualTo(path());
    }
  }

  @Test
  void aSecondHolderIsRefusedAndToldWhoHoldsIt() throws Exception {
    try (DataDirectory data = DataDirectory.hold(path())) {
      data.publish(RUN);
      assertThatThrownBy(() -> DataDirectory.hold(path()))
          .isInstanceOf(ServiceUnavailableException.class)
          .hasMessageContaining("process 4711, since 2026-11-21T12:00:00Z")
          .hasMessageContaining("JOSHUA_DATA_DIR");
    }
  }

  /** The operating system releases a lock when its process closes any channel to the file. */
  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "locks are read from /proc/locks")
  void whoHoldsItStillDoesAfterLookingAtIt() throws Exception {
    try (DataDirectory data = DataDirectory.hold(path())) {
      data.publish(RUN);
      assertThat(isLocked()).isTrue();
      assertThat(RunFile.find(path())).contains(RUN);
      assertThatThrownBy(() -> DataDirectory.hold(path()))
          .isInstanceOf(ServiceUnavailableException.class);
      assertThat(isLocked()).isTrue();
    }
    assertThat(isLocked()).isFalse();
  }

  /** As a bridge's connections do when it starts. */
  @Test
  void manyThreadsThatLookAtOnceAllFindTheSame() throws Exception {
    DataDirectory.hold(path()).close();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Boolean>> looks = Collections.nCopies(200, () -> DataDirectory.isHeld(path()));
      for (Future<Boolean> held : threads.invokeAll(looks)) {
        assertThat(held.get()).isFalse();
      }
    }
  }

  private boolean isLocked() throws IOException {
    Object inode = Files.getAttribute(path().resolve("run.lock"), "unix:ino");
    return Files.readString(Path.of("/proc/locks")).contains(":" + inode + " ");
  }

  @Test
  void afterItIsLetGoAnotherMayHoldIt() throws Exception {
    DataDirectory.hold(path()).close();
    DataDirectory.hold(path()).close();
  }

  @Test
  void aFileThatIsNotOursIsNamed() throws Exception {
    Files.createDirectory(path());
    for (String content : new String[] {"", "{}", "{\"epoch\":\"x\"}", "[]"}) {
      Files.writeString(path().resolve("run.json"), content);
      assertThatThrownBy(() -> RunFile.find(path()))
          .isInstanceOf(ServiceUnavailableException.class)
          .hasMessageContaining("run.json");
    }
  }

  @Test
  void aDirectoryThatCannotBeMadeIsNamedWithItsSetting() throws Exception {
    Files.writeString(path(), "a file");
    assertThatThrownBy(() -> DataDirectory.hold(path()))
        .isInstanceOf(ServiceUnavailableException.class)
        .hasMessageContaining("JOSHUA_DATA_DIR");
  }
}
