package joshua.rogers;

/** An item that the tap's thread hands over to be written, in order. */
sealed interface FlushItem permits HourlyCounts, UnwatchedSpan {
  /** How many rows it becomes. */
  int counts();
}
