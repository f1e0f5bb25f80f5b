package joshua.network;

import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** What a call came by: a socket or a request, or what is one call's own of these. */
public final class Connection {
  private final String id;
  private final BooleanSupplier lost;
  private final UnaryOperator<Runnable> resets;
  private final Set<Runnable> whenGone = ConcurrentHashMap.newKeySet();
  private final Connection whole;
  private final AddressDefaults defaults;
  private volatile boolean gone;

  /**
   * A connection that is open.
   *
   * @param lost looks whether the peer has gone, as far as that can be seen now
   * @param resets {@link #whenReset}
   * @param defaults of the address that it came to
   */
  public Connection(
      String id, BooleanSupplier lost, UnaryOperator<Runnable> resets, AddressDefaults defaults) {
    this.id = id;
    this.lost = lost;
    this.resets = resets;
    this.whole = this;
    this.defaults = defaults;
  }

  /** A connection that is never reset, and came to no address. */
  public Connection(String id, BooleanSupplier lost) {
    this(id, lost, action -> () -> {}, AddressDefaults.NONE);
  }

  private Connection(Connection whole) {
    this.id = whole.id;
    this.lost = whole::isGone;
    this.resets = whole.resets;
    this.whole = whole;
    this.defaults = whole.defaults;
  }

  /** One call's own, which can be closed without the others. */
  public Connection part() {
    Connection part = new Connection(whole);
    Runnable forget = whole.whenGone(part::close);
    var _ = part.whenGone(forget);
    return part;
  }

  /** What this is a part of; itself if it is none. */
  public Connection whole() {
    return whole;
  }

  public String id() {
    return id;
  }

  /** What the address that it came to gives its calls. */
  public AddressDefaults defaults() {
    return defaults;
  }

  /** Looks whether an answer would reach nobody. */
  public boolean isGone() {
    return gone || lost.getAsBoolean();
  }

  /** Whether it has been closed, as far as that is known without looking. */
  public boolean isClosed() {
    return gone;
  }

  /** Says that it is closed; what waits for its peer ends. */
  public void close() {
    gone = true;
    whenGone.forEach(Runnable::run);
    whenGone.clear();
  }

  /** Runs something when it is closed, at once if it is; the result takes that back. */
  public Runnable whenGone(Runnable action) {
    whenGone.add(action);
    if (gone && whenGone.remove(action)) {
      action.run();
    }
    return () -> whenGone.remove(action);
  }

  /** Runs something if the peer dies with something unread; the result takes that back. */
  public Runnable whenReset(Runnable action) {
    return resets.apply(action);
  }

  /** Works on a thread of its own, which is interrupted, and the result cancelled, by a close. */
  public <T> CompletableFuture<T> onThreadOfItsOwn(String name, Callable<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        Thread.ofVirtual()
            .name(name + "-" + id)
            .unstarted(() -> {
              try {
                result.complete(work.call());
              } catch (InterruptedException e) {
                result.cancel(false);
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            });
    Runnable forget = whenGone(thread::interrupt);
    thread.start();
    return result.whenComplete((answer, failure) -> forget.run());
  }
}
