package joshua.app.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.kernel.Role;
import joshua.ssh.Audit;
import joshua.state.Database;
import joshua.state.StatementRefused;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditStoreTest {
  private final List<Audit.Entry> told = new ArrayList<>();
  private Database database;
  private AuditStore audit;

  @BeforeEach
  void open(@TempDir Path directory) throws Exception {
    database =
        Database.open(
            directory.resolve("audit.db"), AuditStore.migrations(), new SimpleMeterRegistry());
    audit = new AuditStore(database, told::add);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private static Audit.Entry at(Instant time, String detail) {
    return new Audit.Entry(
        time,
        "127.0.0.1:50022",
        "ann",
        Optional.of("SHA256:abc"),
        Optional.of(Role.VIEWER),
        Audit.Action.COMMAND,
        detail,
        "ok");
  }

  @Test
  void recordsAreKeptInOrderAndThenTold() throws Exception {
    Instant now = Instant.now();
    audit.record(at(now, "mad-status"));
    audit.record(at(now.plusMillis(1), "clients"));

    assertThat(audit.newest(10)).extracting(Kept::detail).containsExactly("mad-status", "clients");
    assertThat(audit.newest(1)).extracting(Kept::detail).containsExactly("clients");
    assertThat(audit.after(audit.newest(10).getFirst().auditId()))
        .extracting(Kept::detail)
        .containsExactly("clients");
    assertThat(told).extracting(Audit.Entry::detail).containsExactly("mad-status", "clients");
    assertThat(audit.newest(1).getFirst().json().path("role").asText()).isEqualTo("viewer");
  }

  @Test
  void theDatabaseItselfRefusesToChangeOrForgetARecord() throws Exception {
    audit.record(at(Instant.now(), "drop ann"));
    for (String sql : List.of("update audit set who = 'bob'", "delete from audit")) {
      assertThatThrownBy(() -> database.write(c -> c.createStatement().executeUpdate(sql)))
          .isInstanceOf(StatementRefused.class);
    }
    assertThat(audit.newest(10)).extracting(Kept::who).containsExactly("ann");
  }

  @Test
  void recordsOlderThanFourHundredDaysGo() throws Exception {
    Instant now = Instant.now();
    audit.record(at(now.minus(AuditStore.KEPT).minus(Duration.ofDays(2)), "long ago"));
    audit.record(at(now.minus(AuditStore.KEPT).plus(Duration.ofDays(2)), "not so long ago"));
    audit.record(at(now, "now"));

    assertThat(audit.newest(10)).extracting(Kept::detail).containsExactly("not so long ago", "now");
  }

  @Test
  void whatCannotBeKeptIsNotTold() throws Exception {
    database.close();
    assertThatThrownBy(() -> audit.record(at(Instant.now(), "drop ann")))
        .isInstanceOf(Audit.Unrecorded.class);
    assertThat(told).isEmpty();
  }
}
