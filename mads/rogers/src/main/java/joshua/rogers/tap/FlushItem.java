package joshua.rogers.tap;

/** An item that the tap's thread hands over to be written, in order. */
public sealed interface FlushItem permits HourlyCounts, UnwatchedSpan {
  /** How many rows it becomes. */
  int counts();
}
