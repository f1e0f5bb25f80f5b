package joshua.rogers;

/** What the tap's thread hands over to be written, in its order. */
sealed interface FlushItem permits HourlyCounts, UnwatchedSpan {
  /** How many rows it becomes. */
  int counts();
}
