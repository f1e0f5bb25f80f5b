package joshua.tasks;

import java.util.List;
import joshua.state.Migration;

/** The tables of tasks, for the database of a MAD that may have others beside them. */
public final class TaskSchema {
  private TaskSchema() {}

  /** The tables as they are made, as the migration of that number. */
  public static Migration first(int number) {
    Migration tables = Migration.files(TaskSchema.class, "0001-tasks.sql").getFirst();
    return new Migration(number, tables.name(), tables.sql());
  }

  /** What tells questions from work (wire contract §3), as the migration of that number. */
  public static Migration questions(int number) {
    Migration column = Migration.files(TaskSchema.class, "0002-questions.sql").getFirst();
    return new Migration(number, column.name(), column.sql());
  }

  /** For a database that has nothing else. */
  static List<Migration> alone() {
    return List.of(first(1), questions(2));
  }
}
