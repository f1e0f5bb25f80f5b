package joshua.tasks.store;

import java.util.List;
import joshua.state.Migration;

/** The database schema of tasks, for the database of a MAD that may have other tables, too. */
public final class TaskSchema {
  private TaskSchema() {}

  /** The initial tables, as the migration of that number. */
  public static Migration first(int number) {
    Migration tables = Migration.files(TaskSchema.class, "0001-tasks.sql").getFirst();
    return new Migration(number, tables.name(), tables.sql());
  }

  /**
   * The column that distinguishes questions from work (wire contract §3), as the migration of that
   * number.
   */
  public static Migration questions(int number) {
    Migration column = Migration.files(TaskSchema.class, "0002-questions.sql").getFirst();
    return new Migration(number, column.name(), column.sql());
  }

  /** The migrations for a database that has no other tables. */
  public static List<Migration> alone() {
    return List.of(first(1), questions(2));
  }
}
