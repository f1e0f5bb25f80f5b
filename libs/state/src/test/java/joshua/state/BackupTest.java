package joshua.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupTest {
  private static final InstantSource TIME = InstantSource.system();
  private static final String INSERT = "insert into item values (?)";

  @TempDir Path directory;
  private Path file;
  private Path backup;

  @BeforeEach
  void nameTheFiles() {
    file = directory.resolve("state").resolve("test.db");
    backup = directory.resolve("backup.db");
  }

  private Database open() throws IOException {
    Migration items = new Migration("items", "create table item (id text primary key);");
    return Database.open(file, List.of(items), TIME);
  }

  private static long count(Database database) {
    return database.read(tx -> tx.number("select count(*) from item"));
  }

  @Test
  void aBackupCanBeRestored() throws Exception {
    try (Database database = open()) {
      database.write(tx -> tx.update(INSERT, "a"));
      Database.backup(file, backup);
      assertThatThrownBy(() -> Database.backup(file, backup)).hasMessageContaining("there already");
      database.write(tx -> tx.update(INSERT, "b"));
    }
    Path kept = Database.restore(Map.of(file, backup), TIME).get(file);
    try (Database database = open()) {
      assertThat(count(database)).isEqualTo(1);
    }
    Database.checkFully(kept);
    assertThatThrownBy(() -> Database.restore(Map.of(file, directory.resolve("none")), TIME))
        .hasMessageContaining("There is no file");
  }

  @Test
  void ofSeveralBackupsNoneIsRestoredUnlessAllCanBe() throws Exception {
    Path garbage = Files.writeString(directory.resolve("garbage.db"), "x".repeat(10_000));
    try (Database database = open()) {
      Database.backup(file, backup);
      database.write(tx -> tx.update(INSERT, "a"));
    }
    Path other = file.resolveSibling("other.db");
    Map<Path, Path> backups = new LinkedHashMap<>();
    backups.put(file, backup);
    backups.put(other, garbage);
    assertThatThrownBy(() -> Database.restore(backups, TIME)).hasMessageContaining("is damaged");
    assertThat(file.getParent()).isDirectoryNotContaining("glob:**-{before,incoming}*");
    try (Database database = open()) {
      assertThat(count(database)).isEqualTo(1);
    }
    backups.put(other, backup);
    assertThat(Database.restore(backups, TIME)).containsOnlyKeys(file);
    try (Database database = open()) {
      assertThat(count(database)).isZero();
    }
    assertThat(other).hasSameBinaryContentAs(backup);
  }
}
