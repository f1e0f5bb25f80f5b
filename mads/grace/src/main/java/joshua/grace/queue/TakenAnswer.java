package joshua.grace.queue;

import joshua.grace.queue.ClientQueue.Page;

/**
 * An answer that has taken messages from a queue. Its caller may turn out to have died before it
 * read it; then they come again. Guarded by the lock of {@link ClientQueues}.
 */
final class TakenAnswer {
  private final Page page;
  private boolean unread;
  private Runnable whenForgotten = () -> {};

  TakenAnswer(Page page) {
    this.page = page;
  }

  Page page() {
    return page;
  }

  boolean isUnread() {
    return unread;
  }

  void setUnread() {
    unread = true;
  }

  void setWhenForgotten(Runnable action) {
    whenForgotten = action;
  }

  void forget() {
    whenForgotten.run();
  }
}
