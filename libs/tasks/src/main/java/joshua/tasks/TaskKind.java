package joshua.tasks;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What a task is to those who list and count tasks (wire contract §3). */
public enum TaskKind {
  /** Something to be done; every task until the stage that answers it is known. */
  WORK,
  /** Something that was looked up: DTR or LPPM answers it. */
  QUESTION;

  /** As it stands in a list of tasks. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The kind of that name; empty for other names, {@code all} among them. */
  static Optional<TaskKind> named(String wireName) {
    return Stream.of(values()).filter(kind -> kind.wireName().equals(wireName)).findFirst();
  }

  /** As the column {@code question} has it. */
  int column() {
    return this == QUESTION ? 1 : 0;
  }

  static TaskKind ofColumn(int question) {
    return question == 1 ? QUESTION : WORK;
  }
}
