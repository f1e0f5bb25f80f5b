package joshua.tasks.model;

/** What a task is; decided when it is accepted. */
public enum TaskKind {
  /** Somebody wants something done. */
  WORK,
  /** Somebody asks about the service itself; left out of lists and counts. */
  QUESTION
}
