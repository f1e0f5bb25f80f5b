package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Backup, restore and doctor, as an administrator has them (+DP-06). */
final class BackupIT {
  private static final int PAGE = 4096;
  private final Stage stage = new Stage();

  @AfterEach
  void close() {
    stage.close();
  }

  private String ask(Group group, String prompt) {
    JsonNode answer =
        group
            .client("fiedler")
            .call(
                "fiedler_converse",
                "{'prompt':'%s','requester_id':'ann','wait':true}".formatted(prompt));
    assertThat(answer.path("status").asText()).isEqualTo("completed");
    return answer.path("task_id").asText();
  }

  @Test
  void whatWasBackedUpWhileTheGroupRanIsThereAfterARestore() throws IOException {
    Group group = stage.up();
    String kept = ask(group, "help");
    Path backups = stage.path().resolve("backups");

    assertThat(stage.run("doctor").exitStatus()).isZero();
    Run backup = stage.run("backup", backups.toString());
    assertThat(backup.exitStatus()).isZero();
    assertThat(backup.out()).contains("fiedler_state.db", "checked");
    Run again = stage.run("backup", backups.toString());
    assertThat(again.exitStatus()).isEqualTo(69);
    assertThat(again.err()).contains("is there already");

    String lost = ask(group, "tasks");
    Run tooEarly = stage.run("restore", backups.toString());
    assertThat(tooEarly.exitStatus()).isEqualTo(69);
    group.run().terminate();

    Run restore = stage.run("restore", backups.toString());
    assertThat(restore.exitStatus()).isZero();
    assertThat(restore.out()).contains("what was there before");
    Group restored = stage.up();
    WsClient fiedler = restored.client("fiedler");
    assertThat(status(fiedler, kept).path("status").asText()).isEqualTo("COMPLETED");
    assertThat(status(fiedler, lost).path("code").asText()).isEqualTo("unknown_task");
    restored.run().terminate();
  }

  private static JsonNode status(WsClient fiedler, String taskId) {
    return fiedler.call("fiedler_get_task_status", "{'task_id':'%s'}".formatted(taskId));
  }

  @Test
  void theDoctorNamesWhatIsWrong() throws IOException {
    Run nothing = stage.run("doctor");
    assertThat(nothing.exitStatus()).isZero();
    assertThat(nothing.out()).contains("it doesn't run").doesNotContain("BAD", "warning");

    Group group = stage.up();
    ask(group, "help");
    group.run().terminate();
    Path database = stage.data().resolve("fiedler/fiedler_state.db");
    try (RandomAccessFile file = new RandomAccessFile(database.toFile(), "rw")) {
      for (long page = 1; page < Files.size(database) / PAGE; page++) {
        file.seek(page * PAGE);
        file.write("this is no page of a database".getBytes("UTF-8"));
      }
    }

    Run doctor = stage.run("doctor");
    assertThat(doctor.exitStatus()).isEqualTo(1);
    assertThat(doctor.out()).containsPattern("BAD +database .*fiedler_state.db");
    Run backup = stage.run("backup", stage.path().resolve("backups").toString());
    assertThat(backup.exitStatus()).isEqualTo(69);
    assertThat(stage.path().resolve("backups/fiedler_state.db")).doesNotExist();
  }
}
