package joshua.rogers.incident;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.InstantSource;
import joshua.state.Database;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IncidentStoreTest {
  @Test
  void aDatabaseOfTheSchemaBeforeKeepsWhatItHas(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("rogers.db");
    var before = IncidentStore.MIGRATIONS.subList(0, 1);
    try (Database old = Database.open(file, before, InstantSource.system())) {
      old.write(tx ->
          tx.update(
              """
              insert into incidents (kind, subject, at, last_at, messages, detail, is_problem)
              values ('missed', 'ann', 1, 2, 3, 'overflow, as grace told it', true)
              """));
    }
    try (Database now = Database.open(file, IncidentStore.MIGRATIONS, InstantSource.system())) {
      now.write(tx -> {
        IncidentStore.clearProblems(tx);
        return null;
      });
      long missed = now.read(tx -> tx.number("select sum(messages) from incidents"));
      assertThat(missed).isEqualTo(3);
    }
  }
}
