package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Backup, restore and doctor, as an administrator uses them (+DP-06). */
final class BackupIT {
  private static final int PAGE = 4096;
  private final TestEnvironment environment = new TestEnvironment();

  @AfterEach
  void close() {
    environment.close();
  }

  private String ask(GroupUnderTest groupUnderTest, String prompt) {
    JsonNode answer =
        groupUnderTest
            .client("fiedler")
            .call(
                "fiedler_converse",
                "{'prompt':'%s','requester_id':'ann','wait':true}".formatted(prompt));
    assertThat(answer.path("status").asText()).isEqualTo("completed");
    return answer.path("task_id").asText();
  }

  @Test
  void whatWasBackedUpWhileTheGroupRanIsThereAfterARestore() throws IOException {
    GroupUnderTest groupUnderTest = environment.up();
    String kept = ask(groupUnderTest, "help");
    Path backups = environment.path().resolve("backups");

    assertThat(environment.run("doctor").exitStatus()).isZero();
    ProgramRun backup = environment.run("backup", backups.toString());
    assertThat(backup.exitStatus()).isZero();
    assertThat(backup.out()).contains("fiedler_state.db", "checked");
    ProgramRun again = environment.run("backup", backups.toString());
    assertThat(again.exitStatus()).isEqualTo(69);
    assertThat(again.err()).contains("is there already");

    String lost = ask(groupUnderTest, "tasks");
    ProgramRun tooEarly = environment.run("restore", backups.toString());
    assertThat(tooEarly.exitStatus()).isEqualTo(69);
    groupUnderTest.run().terminate();

    ProgramRun restore = environment.run("restore", backups.toString());
    assertThat(restore.exitStatus()).isZero();
    assertThat(restore.out()).contains("what was there before");
    GroupUnderTest restored = environment.up();
    FrameSocketClient fiedler = restored.client("fiedler");
    assertThat(status(fiedler, kept).path("status").asText()).isEqualTo("COMPLETED");
    assertThat(status(fiedler, lost).path("code").asText()).isEqualTo("unknown_task");
    restored.run().terminate();
  }

  private static JsonNode status(FrameSocketClient fiedler, String taskId) {
    return fiedler.call("fiedler_get_task_status", "{'task_id':'%s'}".formatted(taskId));
  }

  @Test
  void theDoctorNamesWhatIsWrong() throws IOException {
    ProgramRun nothing = environment.run("doctor");
    assertThat(nothing.exitStatus()).isZero();
    assertThat(nothing.out()).contains("it doesn't run").doesNotContain("BAD", "warning");

    GroupUnderTest groupUnderTest = environment.up();
    ask(groupUnderTest, "help");
    groupUnderTest.run().terminate();
    Path database = environment.data().resolve("fiedler/fiedler_state.db");
    try (RandomAccessFile file = new RandomAccessFile(database.toFile(), "rw")) {
      for (long page = 1; page < Files.size(database) / PAGE; page++) {
        file.seek(page * PAGE);
        file.write("this is no page of a database".getBytes("UTF-8"));
      }
    }

    ProgramRun doctor = environment.run("doctor");
    assertThat(doctor.exitStatus()).isEqualTo(1);
    assertThat(doctor.out()).containsPattern("BAD +database .*fiedler_state.db");
    ProgramRun backup = environment.run("backup", environment.path().resolve("backups").toString());
    assertThat(backup.exitStatus()).isEqualTo(69);
    assertThat(environment.path().resolve("backups/fiedler_state.db")).doesNotExist();
  }
}
