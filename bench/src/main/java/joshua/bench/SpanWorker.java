package joshua.bench;

/** What one of several threads of a {@link WorkSpan} does. */
interface SpanWorker {
  void work(int number) throws InterruptedException;
}
