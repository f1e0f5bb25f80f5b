package joshua.network;

import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** The connection of a call: a WebSocket, an HTTP request, or one call's share of either. */
public final class Connection {
  private final String id;
  private final BooleanSupplier lost;
  private final UnaryOperator<Runnable> resets;
  private final Set<Runnable> whenGone = ConcurrentHashMap.newKeySet();
  private final Connection whole;
  private final AddressDefaults defaults;
  private volatile boolean gone;

  /**
   * An open connection.
   *
   * @param lost checks whether the peer has gone, as far as that can be known now
   * @param resets implements {@link #whenReset}
   * @param defaults of the URL
   */
  public Connection(
      String id, BooleanSupplier lost, UnaryOperator<Runnable> resets, AddressDefaults defaults) {
    this.id = id;
    this.lost = lost;
    this.resets = resets;
    this.whole = this;
    this.defaults = defaults;
  }

  /** A connection without resets and without a URL. */
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

  /** The share of one call, which can be closed alone; closing the whole closes it. */
  public Connection part() {
    Connection part = new Connection(whole);
    Runnable forget = whole.whenGone(part::close);
    var _ = part.whenGone(forget);
    return part;
  }

  /** The connection that this is a part of, or itself. */
  public Connection whole() {
    return whole;
  }

  public String id() {
    return id;
  }

  /** The defaults that its URL sets for its calls. */
  public AddressDefaults defaults() {
    return defaults;
  }

  /** Checks whether an answer would reach nobody. */
  public boolean isGone() {
    return gone || lost.getAsBoolean();
  }

  /** Whether it has been closed, without checking the peer. */
  public boolean isClosed() {
    return gone;
  }

  /** Marks it as closed, and ends what waits for its peer. */
  public void close() {
    gone = true;
    whenGone.forEach(Runnable::run);
    whenGone.clear();
  }

  /** Runs an action when it is closed, at once if it is; the result unregisters it. */
  public Runnable whenGone(Runnable action) {
    whenGone.add(action);
    if (gone && whenGone.remove(action)) {
      action.run();
    }
    return () -> whenGone.remove(action);
  }

  /** Runs an action if the peer ends with unread data; the result unregisters it. */
  public Runnable whenReset(Runnable action) {
    return resets.apply(action);
  }

  /** Runs work on a virtual thread; closing interrupts it and cancels the result. */
  public <T> CompletableFuture<T> runBlocking(String name, Callable<T> work) {
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
