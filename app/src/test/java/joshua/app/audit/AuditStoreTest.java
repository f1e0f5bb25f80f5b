package joshua.app.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.conversation.EnvelopeCodec;
import joshua.kernel.Role;
import joshua.ssh.AuditLog;
import joshua.state.Database;
import joshua.state.StatementRefusedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditStoreTest {
  private final List<AuditLog.Entry> told = new ArrayList<>();
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

  private static AuditLog.Entry at(Instant time, String detail) {
    return of(Role.OPERATOR, time, detail);
  }

  private static AuditLog.Entry of(Role role, Instant time, String detail) {
    return new AuditLog.Entry(
        time,
        "127.0.0.1:50022",
        "ann",
        Optional.of("SHA256:abc"),
        Optional.of(role),
        AuditLog.Action.COMMAND,
        detail,
        "ok");
  }

  @Test
  void recordsAreKeptInOrderAndThenTold() throws Exception {
    Instant now = Instant.now();
    audit.record(at(now, "mad-status"));
    audit.record(at(now.plusMillis(1), "clients"));

    assertThat(audit.newest(10))
        .extracting(AuditRecord::detail)
        .containsExactly("mad-status", "clients");
    assertThat(audit.newest(1)).extracting(AuditRecord::detail).containsExactly("clients");
    assertThat(audit.after(audit.newest(10).getFirst().auditId()))
        .extracting(AuditRecord::detail)
        .containsExactly("clients");
    assertThat(told).extracting(AuditLog.Entry::detail).containsExactly("mad-status", "clients");
    assertThat(audit.newest(1).getFirst().json().path("role").asText()).isEqualTo("operator");
  }

  @Test
  void theDatabaseItselfRefusesToChangeOrForgetARecord() throws Exception {
    audit.record(at(Instant.now(), "drop ann"));
    for (String sql : List.of("update audit set who = 'bob'", "delete from audit")) {
      assertThatThrownBy(() -> database.write(c -> c.createStatement().executeUpdate(sql)))
          .isInstanceOf(StatementRefusedException.class);
    }
    assertThat(audit.newest(10)).extracting(AuditRecord::who).containsExactly("ann");
  }

  @Test
  void recordsOlderThanFourHundredDaysGo() throws Exception {
    Instant now = Instant.now();
    audit.record(at(now.minus(AuditStore.KEPT).minus(Duration.ofDays(2)), "long ago"));
    audit.record(at(now.minus(AuditStore.KEPT).plus(Duration.ofDays(2)), "not so long ago"));
    audit.record(at(now, "now"));

    assertThat(audit.newest(10))
        .extracting(AuditRecord::detail)
        .containsExactly("not so long ago", "now");
  }

  /** Denial of service: a viewer's key can't fill the disk, or push out another user's records. */
  @Test
  void ofViewersCommandsTheOldestGo() throws Exception {
    Instant now = Instant.now();
    audit.record(at(now, "drop ann"));
    database.write(connection ->
        connection
            .createStatement()
            .executeUpdate(
                """
                with recursive n (i) as (select 1 union all select i + 1 from n where i < %d)
                insert into audit (at, came_from, who, role, action, detail, public_detail, result)
                select '%s', 'a', 'vic', 'viewer', 'command', 'help ' || i, 'help', 'ok' from n
                """
                    .formatted(AuditStore.OF_VIEWERS, EnvelopeCodec.timestamp(now))));
    for (int i = 0; i <= AuditStore.PRUNED_TOGETHER; i++) {
      audit.record(of(Role.VIEWER, now, "newest"));
    }
    assertThat(ofViewers()).isEqualTo(AuditStore.OF_VIEWERS);
    assertThat(audit.after(0)).extracting(AuditRecord::detail).startsWith("drop ann", "help 102");
    assertThatThrownBy(() ->
            database.write(connection ->
                connection
                    .createStatement()
                    .executeUpdate("delete from audit where detail = 'help 102'")))
        .isInstanceOf(StatementRefusedException.class);
  }

  private int ofViewers() throws Exception {
    return database.read(connection -> {
      try (ResultSet row =
          connection
              .createStatement()
              .executeQuery("select count(*) from audit where role = 'viewer'")) {
        row.next();
        return row.getInt(1);
      }
    });
  }

  /**
   * Security: viewers see nothing of what was recorded before there was a separate text for them.
   */
  @Test
  void recordsOfAnEarlierSchemaAreLeftOutForViewers(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("old.db");
    String insert =
        """
        insert into audit (at, came_from, who, action, detail, result)
        values ('2026-11-22T10:00:00.000Z', 'socket', 'ann', 'command', 'ask something', 'ok')
        """;
    try (Database old =
        Database.open(file, AuditStore.migrations().subList(0, 1), new SimpleMeterRegistry())) {
      old.write(connection -> connection.createStatement().executeUpdate(insert));
    }
    try (Database now = Database.open(file, AuditStore.migrations(), new SimpleMeterRegistry())) {
      AuditStore kept = new AuditStore(now, told::add);
      kept.record(at(Instant.now(), "mad-status"));
      assertThat(kept.newest(10))
          .extracting(AuditRecord::detail)
          .containsExactly("ask something", "mad-status");
      assertThat(kept.newest(10))
          .extracting(record -> record.forViewers().detail())
          .containsExactly("…", "mad-status");
    }
  }

  @Test
  void whatCannotBeKeptIsNotTold() throws Exception {
    database.close();
    assertThatThrownBy(() -> audit.record(at(Instant.now(), "drop ann")))
        .isInstanceOf(AuditLog.UnrecordedException.class);
    assertThat(told).isEmpty();
  }
}
