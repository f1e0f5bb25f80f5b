package joshua.bench;

/** The work of one of several threads of a {@link WorkSpan}. */
interface SpanWorker {
  void work(int number) throws InterruptedException;
}
