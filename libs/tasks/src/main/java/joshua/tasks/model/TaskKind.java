package joshua.tasks.model;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The kind of a task in lists and counts (wire contract §3). */
public enum TaskKind {
  /** Work to be done; every task until the answering stage is known. */
  WORK,
  /** A lookup, answered by DTR or LPPM. */
  QUESTION;

  /** The name used in lists of tasks. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The kind of that name; empty for other names, including {@code all}. */
  public static Optional<TaskKind> named(String wireName) {
    return Stream.of(values()).filter(kind -> kind.wireName().equals(wireName)).findFirst();
  }

  /** The value of the column {@code question}. */
  public int column() {
    return this == QUESTION ? 1 : 0;
  }

  public static TaskKind ofColumn(int question) {
    return question == 1 ? QUESTION : WORK;
  }
}
