package joshua.network.bridge;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One request to a MAD, from before it is sent until its outcome. Safe to use from any thread. */
final class MadCall {
  private final String method;
  private final ObjectNode params;
  private final Set<String> answers;
  private final Consumer<ObjectNode> progress;
  private final CompletableFuture<MadCallOutcome> outcome = new CompletableFuture<>();
  private volatile @Nullable Runnable howToCancel;
  private volatile boolean cancelled;

  /**
   * Creates a request that hasn't been sent.
   *
   * @param params without {@code _meta}
   * @param answers the methods of the questions that may be asked back
   * @param progress gets the params of each {@code notifications/progress}; must not block
   */
  MadCall(String method, ObjectNode params, Set<String> answers, Consumer<ObjectNode> progress) {
    this.method = method;
    this.params = params;
    this.answers = Set.copyOf(answers);
    this.progress = progress;
  }

  /** A request without questions or progress. */
  static MadCall plain(String method, ObjectNode params) {
    return new MadCall(method, params, Set.of(), _ -> {});
  }

  String method() {
    return method;
  }

  ObjectNode params() {
    return params;
  }

  Set<String> answers() {
    return answers;
  }

  void progressed(ObjectNode told) {
    progress.accept(told);
  }

  void end(MadCallOutcome with) {
    outcome.complete(with);
  }

  boolean hasEnded() {
    return outcome.isDone();
  }

  /** Records that it has been sent; {@code how} cancels it, and does nothing a second time. */
  void sent(Runnable how) {
    howToCancel = how;
    if (cancelled) {
      how.run();
    }
  }

  /** Waits for the outcome; when interrupted, the request is cancelled. */
  MadCallOutcome await() throws InterruptedException {
    try {
      return outcome.get();
    } catch (InterruptedException e) {
      cancel();
      throw e;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The same for a limited time; after that the request is cancelled. */
  MadCallOutcome await(long seconds) throws InterruptedException {
    try {
      return outcome.get(seconds, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      cancel();
      return MadCallOutcome.lost(
          "There was no answer to %s within %d s.".formatted(method, seconds));
    } catch (InterruptedException e) {
      cancel();
      throw e;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private void cancel() {
    cancelled = true;
    outcome.complete(MadCallOutcome.lost("It was cancelled."));
    Runnable how = howToCancel;
    if (how != null) {
      how.run();
    }
  }
}
