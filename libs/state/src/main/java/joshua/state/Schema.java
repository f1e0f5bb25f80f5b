package joshua.state;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The schema of a database: what migrations it has had is a table in it. */
record Schema(SqliteErrors errors, List<Migration> migrations, InstantSource time) {
  private static final Logger log = LoggerFactory.getLogger(Schema.class);

  private static final String TABLE =
      """
      create table if not exists schema_version (
        number integer primary key, name text not null, applied_at bigint not null)
      """;

  /** Brings a database up to date, wholly or not at all. */
  void migrate(Transaction transaction) throws IOException {
    Optional<String> refusal = transaction.run("begin immediate", this::migrateIn);
    if (refusal.isPresent()) {
      throw new IOException(refusal.get());
    }
  }

  private Optional<String> migrateIn(Transaction tx) {
    boolean ours =
        tx.number("select count(*) from sqlite_schema where name = 'schema_version'") > 0;
    if (!ours && tx.number("select count(*) from sqlite_schema") > 0) {
      return Optional.of(
          "%s is a database of another program, or of an older Joshua. Move it away, or set another data directory."
              .formatted(errors.file()));
    }
    tx.update(TABLE);
    List<String> there = tx.rows(String.class, "select name from schema_version");
    List<String> known = migrations.stream().map(Migration::name).toList();
    for (String name : there) {
      if (!known.contains(name)) {
        return Optional.of(
            "The database %s has had %s, which this Joshua doesn't know. Start the newer one, or restore the backup from before it."
                .formatted(errors.file(), name));
      }
    }
    int number = there.size();
    for (Migration migration : migrations) {
      if (!there.contains(migration.name())) {
        tx.script(migration.sql());
        number++;
        tx.update(
            "insert into schema_version values (?, ?, ?)",
            number,
            migration.name(),
            time.instant());
        log.info("{}: {}", errors.file(), migration.name());
      }
    }
    return Optional.empty();
  }
}
