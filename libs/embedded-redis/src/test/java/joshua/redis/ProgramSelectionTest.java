package joshua.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import joshua.kernel.RedisSettings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The choice of the program that becomes the embedded Redis. */
class ProgramSelectionTest {
  @TempDir Path directory;
  private Path first;
  private Path second;
  private Path room;

  @BeforeEach
  void makeDirectories() throws Exception {
    first = Files.createDirectory(directory.resolve("first"));
    second = Files.createDirectory(directory.resolve("second"));
    room = Files.createDirectory(directory.resolve("room"));
  }

  private RedisProgram select(Optional<String> wanted) throws Exception {
    ExecutablePath path = new ExecutablePath(first + ":" + second);
    return new ProgramSelection(room, wanted, path, Thread::sleep).select();
  }

  private static Path script(Path file, String text) throws Exception {
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    return file;
  }

  /** A program that leaves a line in a file each time it is started. */
  private Path counted(Path file) throws Exception {
    return script(
        file,
        "echo started >>%s; exec %s \"$@\""
            .formatted(directory.resolve("starts"), InstalledRedis.redisServer()));
  }

  private long starts() throws Exception {
    Path starts = directory.resolve("starts");
    return Files.exists(starts) ? Files.readAllLines(starts).size() : 0;
  }

  @Test
  void theFirstOnThePathThatWithstandsTheAttacksIsTaken() throws Exception {
    Files.copy(RedisBinary.unpack(room), first.resolve("redis-server"));
    Path mended =
        Files.createSymbolicLink(second.resolve("valkey-server"), InstalledRedis.redisServer());
    assertThat(select(Optional.empty()))
        .isEqualTo(new RedisProgram(mended, RedisProgram.Origin.ON_PATH));
  }

  @Test
  void anUnmendedOneIsNoBetterThanTheBundled() throws Exception {
    Files.copy(RedisBinary.unpack(room), second.resolve("redis-server"));
    assertThat(select(Optional.empty()).origin()).isEqualTo(RedisProgram.Origin.BUNDLED);
    assertThat(new ProbeRecord(room).find(second.resolve("redis-server")))
        .contains(ProbeVerdict.ENDED_BY_A_PATTERN);
  }

  @Test
  void withNothingOnThePathTheBundledOneIsTaken() throws Exception {
    assertThat(select(Optional.empty()).origin()).isEqualTo(RedisProgram.Origin.BUNDLED);
  }

  @Test
  void aProgramIsProbedAgainOnlyWhenItHasChanged() throws Exception {
    Path program = counted(second.resolve("redis-server"));
    select(Optional.empty());
    select(Optional.empty());
    assertThat(starts()).isEqualTo(1);
    Files.setLastModifiedTime(program, FileTime.from(Instant.EPOCH));
    select(Optional.empty());
    assertThat(starts()).isEqualTo(2);
  }

  @Test
  void aProbeLeavesNeitherProcessesNorFiles() throws Exception {
    counted(second.resolve("redis-server"));
    select(Optional.empty());
    assertThat(Files.list(room).map(file -> file.getFileName().toString()))
        .containsExactly("programs.json");
    assertThat(ProcessHandle.current().descendants().map(ProcessHandle::info))
        .noneMatch(info -> info.commandLine().orElse("").contains(room.toString()));
  }

  @Test
  void aProgramThatHangsIsGivenUpWithinSecondsAndTriedAgain() throws Exception {
    Path program = script(second.resolve("redis-server"), "exec sleep 60");
    long began = System.nanoTime();
    assertThat(select(Optional.empty()).origin()).isEqualTo(RedisProgram.Origin.BUNDLED);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
    assertThat(new ProbeRecord(room).find(program)).isEmpty();
  }

  @Test
  void aProgramThatTakesNoConfigurationOfOursIsLeftAside() throws Exception {
    Path program = script(second.resolve("redis-server"), "echo too old; exit 1");
    assertThat(select(Optional.empty()).origin()).isEqualTo(RedisProgram.Origin.BUNDLED);
    assertThat(new ProbeRecord(room).find(program))
        .contains(ProbeVerdict.REFUSES_ITS_CONFIGURATION);
  }

  @Test
  void theNamedOneIsTakenAlsoWhenItIsNotMended() throws Exception {
    Path named = RedisBinary.unpack(room);
    Files.createSymbolicLink(first.resolve("redis-server"), InstalledRedis.redisServer());
    assertThat(select(Optional.of(named.toString())))
        .isEqualTo(new RedisProgram(named, RedisProgram.Origin.NAMED));
    assertThat(select(Optional.of(RedisSettings.BUNDLED)).origin())
        .isEqualTo(RedisProgram.Origin.BUNDLED);
  }

  @Test
  void aNamedFileThatCannotBeExecutedIsRefused() {
    assertThatThrownBy(() -> select(Optional.of(directory.resolve("none").toString())))
        .isInstanceOf(CannotStartException.class)
        .hasMessageContaining("JOSHUA_REDIS_PROGRAM is " + directory.resolve("none"));
  }

  @Test
  void asManyProgramsAreRememberedAsSaid() throws Exception {
    ProbeRecord results = new ProbeRecord(room);
    for (int each = 0; each <= ProbeRecord.MOST; each++) {
      Path program = script(first.resolve("program-" + each), "exit 1");
      results.add(program, ProbeVerdict.RESISTS);
    }
    assertThat(results.find(first.resolve("program-0"))).isEmpty();
    assertThat(results.find(first.resolve("program-1"))).isPresent();
    assertThat(results.find(first.resolve("program-" + ProbeRecord.MOST))).isPresent();
  }

  @Test
  void aDamagedRecordCostsAnotherProbeAndNothingElse() throws Exception {
    Path program = counted(second.resolve("redis-server"));
    Files.writeString(room.resolve("programs.json"), "{");
    assertThat(select(Optional.empty()).file()).isEqualTo(program);
    assertThat(starts()).isEqualTo(1);
  }
}
