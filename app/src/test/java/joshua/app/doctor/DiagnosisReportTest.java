package joshua.app.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import joshua.kernel.FileBudget;
import joshua.ssh.StyledLine;
import org.junit.jupiter.api.Test;

/** Tests the report of findings, and findings that can't be produced by breaking this machine. */
final class DiagnosisReportTest {
  private static final long GIB = 1L << 30;

  /** With 416 reserved for a service besides its connections. */
  private static Optional<FileBudget> files(long limit) {
    return Optional.of(new FileBudget(limit, 1));
  }

  private static DiagnosisReport of(HealthCheck... checks) throws InterruptedException {
    return DiagnosisReport.of(List.of(checks), (done, all) -> {});
  }

  private static HealthCheck finding(CheckFinding checkFinding) {
    return () -> List.of(checkFinding);
  }

  private static List<CheckVerdict> verdicts(HealthCheck healthCheck) throws InterruptedException {
    return healthCheck.look().stream().map(CheckFinding::verdict).toList();
  }

  @Test
  void theWorstFindingIsTheVerdictAndWhatWasLeftOutDoesNotCount() throws Exception {
    HealthCheck well = finding(CheckFinding.ok("a", "fine"));
    HealthCheck leftOut = finding(CheckFinding.leftOut("b", "nobody is there"));
    HealthCheck warning = finding(CheckFinding.warning("c", "It is slow.", "Wait."));
    HealthCheck bad = finding(CheckFinding.bad("d", "It is gone. Bring it back."));

    assertThat(of(leftOut).verdict()).isEqualTo(CheckVerdict.OK);
    assertThat(of(well, leftOut).verdict()).isEqualTo(CheckVerdict.OK);
    assertThat(of(warning, leftOut, well).verdict()).isEqualTo(CheckVerdict.WARNING);
    DiagnosisReport all = of(well, bad, leftOut, warning);
    assertThat(all.verdict()).isEqualTo(CheckVerdict.BAD);
    assertThat(all.report().json())
        .hasToString(
            "{\"verdict\":\"bad\",\"checks\":["
                + "{\"check\":\"a\",\"verdict\":\"ok\",\"found\":\"fine\",\"remedy\":null},{\"check\":\"d\",\"verdict\":\"bad\",\"found\":\"It"
                + " is gone.\",\"remedy\":\"Bring it"
                + " back.\"},{\"check\":\"b\",\"verdict\":\"left_out\",\"found\":\"nobody is"
                + " there\",\"remedy\":null},{\"check\":\"c\",\"verdict\":\"warning\",\"found\":\"It"
                + " is slow.\",\"remedy\":\"Wait.\"}]}");
    assertThat(
            all.report().lines().get().stream().map(StyledLine::plain).map(String::stripTrailing))
        .containsExactly(
            "VERDICT   CHECK  FOUND",
            "ok        a      fine",
            "BAD       d      It is gone.",
            "                 -> Bring it back.",
            "left out  b      nobody is there",
            "warning   c      It is slow.",
            "                 -> Wait.",
            "",
            "1 ok, 1 left out, 1 warning, 1 BAD");
  }

  @Test
  void aCheckThatFailsIsAFindingAndTheOthersGoOn() throws Exception {
    List<Integer> progress = new ArrayList<>();
    HealthCheck failing =
        () -> {
          throw new IllegalStateException("a mistake");
        };
    DiagnosisReport diagnosisReport =
        DiagnosisReport.of(
            List.of(failing, finding(CheckFinding.ok("a", "fine"))),
            (done, all) -> progress.add(done));
    assertThat(diagnosisReport.findings())
        .extracting(CheckFinding::check)
        .containsExactly("doctor", "a");
    assertThat(diagnosisReport.verdict()).isEqualTo(CheckVerdict.BAD);
    assertThat(progress).containsExactly(0, 1);
  }

  @Test
  void anOlderJavaIsBadAndAnUnreleasedOneAWarning() throws Exception {
    assertThat(verdicts(new JavaCheck(Runtime.Version.parse("24.0.2"), "a", "b")))
        .containsExactly(CheckVerdict.BAD);
    assertThat(verdicts(new JavaCheck(Runtime.Version.parse("26-ea"), "a", "b")))
        .containsExactly(CheckVerdict.WARNING);
    assertThat(verdicts(new JavaCheck(Runtime.Version.parse("25.0.1"), "a", "b")))
        .containsExactly(CheckVerdict.OK);
  }

  @Test
  void memoryQueuesAndFilesAreHeldAgainstWhatThereIs() throws Exception {
    assertThat(verdicts(new MachineCheck(GIB, 4 * GIB, Optional.of(GIB / 2), files(2_416), 2_000)))
        .containsExactly(CheckVerdict.OK, CheckVerdict.OK);
    assertThat(verdicts(new MachineCheck(GIB, GIB, Optional.of(GIB / 2 + 1), files(1_415), 2_000)))
        .containsExactly(CheckVerdict.WARNING, CheckVerdict.WARNING, CheckVerdict.WARNING);
    assertThat(verdicts(new MachineCheck(GIB, 4 * GIB, Optional.empty(), Optional.empty(), 1)))
        .containsExactly(CheckVerdict.OK, CheckVerdict.LEFT_OUT);
  }

  @Test
  void fewerFilesThanCouldBeServedAreSaidAndAreNoWarningWhileTheyAreEnough() throws Exception {
    MachineCheck usual = new MachineCheck(GIB, 4 * GIB, Optional.empty(), files(1_416), 2_000);
    assertThat(usual.look().getLast().verdict()).isEqualTo(CheckVerdict.OK);
    assertThat(usual.look().getLast().found())
        .contains("1416 files", "at most 1000 connections, instead of 2000");
    assertThat(verdicts(new MachineCheck(GIB, 4 * GIB, Optional.empty(), files(516), 100)))
        .containsExactly(CheckVerdict.OK, CheckVerdict.OK);
  }

  @Test
  void figuresOfRedisAreReadAndWhatIsNoneIsLeftOut() {
    RedisFigures figures =
        new RedisFigures(
            Map.of(
                "redis_version", "7.2.4",
                "client-output-buffer-limit",
                    "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60",
                "maxclients", "10000",
                "connected_clients", "12"));
    assertThat(figures.majorVersion()).contains(7);
    assertThat(figures.publishedBuffer()).contains(33_554_432L);
    assertThat(figures.freeConnections()).contains(9_988);
    RedisFigures none = new RedisFigures(Map.of("redis_version", "unstable", "maxclients", "5"));
    assertThat(none.majorVersion()).isEmpty();
    assertThat(none.publishedBuffer()).isEmpty();
    assertThat(none.freeConnections()).isEmpty();
  }

  @Test
  void bytesAreToldAsPeopleReadThem() {
    assertThat(ByteSizes.text(0)).isEqualTo("0 B");
    assertThat(ByteSizes.text(1_536)).isEqualTo("1.5 KiB");
    assertThat(ByteSizes.text(12L << 20)).isEqualTo("12 MiB");
    assertThat(ByteSizes.text(Long.MAX_VALUE)).isEqualTo("8388608 TiB");
  }
}
