package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import joshua.kernel.Role;
import joshua.kernel.TimedWait;
import joshua.state.Database;
import joshua.testing.FreePort;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the doctor on files, each broken for real. */
final class DoctorFilesTest {
  private static final int PAGE = 4096;
  private static final int AT_SCHEMA_NUMBER = 60;
  private static final String PRIVATE = "rw-------";

  @TempDir private Path home;
  private DoctorStage stage;

  @BeforeEach
  void set() throws IOException {
    stage = new DoctorStage(home);
    Files.createDirectory(
        stage.data(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  private Path file(Path path, String mode, String content) throws IOException {
    Files.createDirectories(path.getParent());
    Files.writeString(path, content);
    return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  private Path database() throws Exception {
    Path file = stage.data().resolve("fiedler/fiedler_state.db");
    try (Database database =
        Database.open(file, KnownStore.FIEDLER.migrations(), new SimpleMeterRegistry())) {
      assertThat(database.problem()).isEmpty();
    }
    return file;
  }

  @Test
  void aGroupThatDoesNotRunIsNoAlarm() throws Exception {
    for (String matter : List.of("group", "grace", "fiedler", "rogers", "redis")) {
      stage.finds(matter, "left_out", "", "");
    }
    stage.set("JOSHUA_GRACE_PORT", String.valueOf(FreePort.any()));
    stage.finds("grace", "left_out", "it doesn't run: nobody answers at http://127.0.0.1:", "");
  }

  @Test
  void whereNothingIsWrongNothingIsSaid() throws Exception {
    file(stage.data().resolve("redis.password"), PRIVATE, "x");
    database();
    for (String check :
        List.of(
            "java",
            "settings",
            "memory",
            "data directory",
            "admin socket",
            "file modes",
            "clock",
            "database",
            "tokens",
            "model")) {
      assertThat(stage.look(check).getFirst().verdict()).as(check).isEqualTo("ok");
    }
    assertThat(stage.look("redis").getFirst().verdict()).isEqualTo("left_out");
    assertThat(stage.look("group").getFirst().verdict()).isEqualTo("left_out");
    stage.finds("grace", "left_out", "it doesn't run", "");
  }

  @Test
  void aPasswordThatOthersCanReadIsBad() throws Exception {
    Path password = file(stage.data().resolve("redis.password"), "rw-r--r--", "hunter2");
    stage.finds("file modes", "bad", password + " can be read", "chmod 600 " + password);
    assertThat(stage.printed()).doesNotContain("hunter2");

    Files.writeString(password, "");
    file(stage.data().resolve("rogers/rogers_state.db.lock"), "rw-r--r--", "4711");
    assertThat(stage.look("file modes").getFirst().verdict())
        .as("an empty file, and who holds a lock")
        .isEqualTo("ok");
  }

  @Test
  void aDataDirectoryThatOthersCanEnterIsAWarning() throws Exception {
    Files.setPosixFilePermissions(stage.data(), PosixFilePermissions.fromString("rwxr-xr-x"));
    stage.finds("file modes", "warning", "open to others (rwxr-xr-x)", "chmod 700");
  }

  @Test
  void aKeyFileThatOthersCanReadIsBadAndATokensFileOnlyIfTheyCanChangeIt() throws Exception {
    Path key = file(home.resolve("model.key"), "rw-r-----", "sk-hunter2");
    Path tokens = file(home.resolve("tokens"), "rw-r--r--", "# nobody\n");
    stage.set("JOSHUA_MODEL_API_KEY_FILE", key.toString());
    stage.set("JOSHUA_TOKENS_FILE", tokens.toString());
    List<DoctorStage.Found> found = stage.look("file modes");
    assertThat(found).hasSize(1);
    assertThat(found.getFirst().found()).startsWith(key + " can be read");

    Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-rw-r--"));
    assertThat(stage.look("file modes"))
        .extracting(DoctorStage.Found::remedy)
        .contains("chmod go-w " + tokens);
  }

  @Test
  void aDeviceInPlaceOfTheSettingsFileIsNobodysFault() throws Exception {
    stage.set("JOSHUA_SETTINGS_FILE", "/dev/null");
    assertThat(stage.look("file modes").getFirst().verdict()).isEqualTo("ok");
  }

  @Test
  void pagesThatContradictEachOtherAreBad() throws Exception {
    Path database = database();
    try (RandomAccessFile file = new RandomAccessFile(database.toFile(), "rw")) {
      for (long page = 1; page < Files.size(database) / PAGE; page++) {
        file.seek(page * PAGE);
        file.write("this is no page of a database".getBytes("UTF-8"));
      }
    }
    stage.finds("database", "bad", database + ": ", "joshua restore DIRECTORY");
  }

  @Test
  void aDatabaseOfANewerBuildIsBad() throws Exception {
    Path database = database();
    try (RandomAccessFile file = new RandomAccessFile(database.toFile(), "rw")) {
      file.seek(AT_SCHEMA_NUMBER);
      file.writeInt(99);
    }
    stage.finds(
        "database", "bad", "has schema 99, this build knows up to", "Start the newer build");
  }

  @Test
  void aLogThatWasLeftBehindTellsOfAnUncleanStop() throws Exception {
    Path database = database();
    file(database.resolveSibling("fiedler_state.db-wal"), PRIVATE, "what a kill has left");
    stage.finds("database", "warning", "wasn't closed", "the next start takes over its log");
  }

  @Test
  void aDataDirectoryThatCannotBeMadeIsBad() throws Exception {
    Path inTheWay = file(home.resolve("in-the-way"), PRIVATE, "");
    stage.set("JOSHUA_DATA_DIR", inTheWay.resolve("data").toString());
    stage.finds("data directory", "bad", inTheWay + " can't be written to", "JOSHUA_DATA_DIR");
  }

  @Test
  void aPathTooLongForASocketIsBad() throws Exception {
    stage.set("JOSHUA_DATA_DIR", home.resolve("d".repeat(100)).toString());
    stage.finds("admin socket", "bad", "at most 102", "a shorter path");
  }

  @Test
  void aFileOfTheFutureTellsOfAClockThatWentBack() throws Exception {
    Path file = file(stage.data().resolve("redis.password"), PRIVATE, "x");
    Instant later = Instant.now().plus(Duration.ofHours(1));
    Files.setLastModifiedTime(file, FileTime.from(later));
    stage.finds(
        "clock", "bad", "was written at " + later.toString().substring(0, 16), "Set the clock");
  }

  @Test
  void aLineThatIsNoTokenIsNamed() throws Exception {
    Path tokens = file(home.resolve("tokens"), PRIVATE, "# who is who\nhunter2 ann admin\n");
    stage.set("JOSHUA_TOKENS_FILE", tokens.toString());
    stage.finds("tokens", "bad", "Line 2 of " + tokens, "joshua token create");
    assertThat(stage.printed()).doesNotContain("hunter2");
  }

  @Test
  void aTokenOfOnesOwnThatIsNotKnownIsBad() throws Exception {
    TokenStore store = new TokenStore(home.resolve("tokens"), TimedWait.system());
    String token = store.create("ann", Role.OPERATOR);
    stage.set("JOSHUA_TOKENS_FILE", store.file().toString());
    assertThat(stage.look("tokens").getFirst().verdict()).isEqualTo("ok");

    Path own = file(home.resolve("own"), PRIVATE, token);
    stage.set("JOSHUA_TOKEN_FILE", own.toString());
    assertThat(stage.look("tokens").getFirst().verdict()).isEqualTo("ok");
    store.revoke("ann");
    stage.finds("tokens", "bad", "isn't one of those", "joshua token create NAME");
    assertThat(stage.printed()).doesNotContain(token);
  }

  @Test
  void anAddressThatOthersReachWithoutTokensIsBad() throws Exception {
    stage.set("JOSHUA_BIND", "0.0.0.0");
    stage.finds("settings", "bad", "JOSHUA_BIND is 0.0.0.0", "joshua config");
  }

  @Test
  void aLineThatIsNoKeyAndAFileThatOthersCanChangeAreBad() throws Exception {
    Path keys =
        file(home.resolve("ssh/authorized_keys"), "rw-r--r--", "# admins\nssh-dss AAAAB3 old\n");
    stage.set("JOSHUA_SSH_AUTHORIZED_KEYS", keys.toString());
    stage.finds("authorized keys", "bad", keys + ", line 2: ", "joshua keys add");
    Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-rw-rw-"));
    stage.finds("authorized keys", "bad", "chmod go-w " + keys, "Nobody logs in");
  }

  @Test
  void aRunFileOfSomebodyElseIsBad() throws Exception {
    file(stage.data().resolve("run.json"), PRIVATE, "{\"pid\":1}");
    stage.finds(
        "group",
        "bad",
        "can't be read as what a running Joshua writes",
        "Delete it, or set JOSHUA_DATA_DIR");
  }
}
