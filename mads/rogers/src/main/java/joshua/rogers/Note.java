package joshua.rogers;

/** What the tap's thread hands over to be written, in its order. */
sealed interface Note permits Counts, Unseen {
  /** How many rows it becomes. */
  int counts();
}
