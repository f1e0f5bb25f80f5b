package joshua.conversation;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A listener whose content another thread takes in batches, each behind a ping, so that it is known
 * until when all that was published is in one.
 *
 * @param <T> what a batch has
 */
public abstract class Tap<T> implements BusListener {
  private static final int ANSWER_TIMEOUT_S = 1;

  private final BusConnection bus;
  private final InstantSource time;
  private @Nullable CompletableFuture<Batch<T>> pending;
  private boolean isBroken;
  private @Nullable Instant reconnectedAt; // of the receiving thread

  protected Tap(BusConnection bus, InstantSource time) {
    this.bus = bus;
    this.time = time;
  }

  /**
   * The content since the last batch.
   *
   * @param seenUntil all that was published before has come, but for lost connections
   * @param brokenUntil the end of a loss of connection since the last batch
   */
  public record Batch<T>(Instant seenUntil, T content, Optional<Instant> brokenUntil) {}

  /** Returns and removes the content; called by the receiving thread. */
  protected abstract T drain();

  @Override
  public final void onGap(Gap gap) {
    reconnectedAt = time.instant();
  }

  /**
   * The next batch, as soon as all that was published until now has arrived; empty, and nothing is
   * lost, if Redis doesn't answer within a second. For one thread, as what follows.
   */
  public final Optional<Batch<T>> next() {
    if (pending == null) {
      Instant seenUntil = time.instant();
      AtomicReference<Batch<T>> batch = new AtomicReference<>();
      pending =
          bus.transport()
              .whenCaughtUp(() -> batch.set(drained(seenUntil)))
              .thenApply(done -> batch.get());
    }
    Optional<Batch<T>> batch = answer(pending);
    if (batch.isPresent() || pending.isCompletedExceptionally()) {
      pending = null; // else the answer is late, and not lost
    }
    if (isBroken && batch.isPresent()) {
      isBroken = false;
      Batch<T> first = batch.get();
      Instant until = first.brokenUntil().orElse(first.seenUntil());
      return Optional.of(new Batch<>(first.seenUntil(), first.content(), Optional.of(until)));
    }
    return batch;
  }

  private Batch<T> drained(Instant seenUntil) {
    Batch<T> batch = new Batch<>(seenUntil, drain(), Optional.ofNullable(reconnectedAt));
    reconnectedAt = null;
    return batch;
  }

  /** Whether the connection is broken, and wasn't at the last call or batch. */
  public final boolean isNewlyBroken() {
    if (isBroken || bus.transport().isUsable()) {
      return false;
    }
    isBroken = true;
    return true;
  }

  /** The answer of Redis; empty if it fails or is late. */
  public static <T> Optional<T> answer(CompletableFuture<T> reply) {
    return reply
        .thenApply(Optional::of)
        .completeOnTimeout(Optional.empty(), ANSWER_TIMEOUT_S, TimeUnit.SECONDS)
        .exceptionally(failure -> Optional.empty())
        .join();
  }
}
