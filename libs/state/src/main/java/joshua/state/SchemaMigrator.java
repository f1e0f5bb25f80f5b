package joshua.state;

import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The migrations of a database, which records the applied ones in a table. */
record SchemaMigrator(SqliteErrors errors, List<Migration> migrations, InstantSource time) {
  private static final Logger log = LoggerFactory.getLogger(SchemaMigrator.class);

  private static final String TABLE =
      """
      create table if not exists schema_version (
        number integer primary key, name text not null, applied_at bigint not null)
      """;

  /** Applies the missing migrations, and returns their number. */
  int migrate(Transaction tx) {
    boolean ours =
        tx.number("select count(*) from sqlite_schema where name = 'schema_version'") > 0;
    if (!ours && tx.number("select count(*) from sqlite_schema") > 0) {
      throw new StoreException(
          "%s is a database of another program, or of an older Joshua. Move it away, or set another data directory."
              .formatted(errors.file()),
          null);
    }
    tx.update(TABLE);
    List<String> there = tx.rows(String.class, "select name from schema_version");
    List<String> known = migrations.stream().map(Migration::name).toList();
    List<String> unknown = there.stream().filter(name -> !known.contains(name)).toList();
    if (!unknown.isEmpty()) {
      throw new StoreException(
          "The database %s has had %s, which this Joshua doesn't know. Start the newer one, or restore the backup from before it."
              .formatted(errors.file(), unknown.getFirst()),
          null);
    }
    List<Migration> missing =
        migrations.stream().filter(each -> !there.contains(each.name())).toList();
    for (Migration migration : missing) {
      tx.script(migration.sql());
      tx.update(
          "insert into schema_version select count(*) + 1, ?, ? from schema_version",
          migration.name(),
          time.instant());
      if (!there.isEmpty()) {
        log.info("{} has had {}", errors.file(), migration.name());
      }
    }
    return missing.size();
  }
}
