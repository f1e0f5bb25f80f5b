package joshua.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that writes to a database. It runs all jobs that wait in one transaction and
 * answers them after its commit: while one commit waits for the disk, the next jobs gather, {@value
 * #MAX_WAITING} at most.
 *
 * <p>Where one of them fails, all are rolled back and run again, each by itself. Guarded by itself:
 * no job is added after the last one.
 */
final class DatabaseWriter {
  static final int MAX_WAITING = 10_000;

  /** Jobs of one transaction, so that none waits for too many others. */
  private static final int LARGEST_BATCH = 256;

  private static final Logger log = LoggerFactory.getLogger(DatabaseWriter.class);

  private final Transaction transaction;
  private final SqliteErrors errors;
  private final BlockingQueue<Waiting<?>> queue = new LinkedBlockingQueue<>(MAX_WAITING);
  private final Thread thread;
  private boolean closed;
  private volatile @Nullable String problem;

  /** A job whose caller waits. */
  private record Waiting<T extends @Nullable Object>(Job<T> job, CompletableFuture<T> answer) {
    /** Runs the job, and says how to answer it once its transaction is committed. */
    Runnable run(Transaction transaction) {
      T result = job.run(transaction);
      return () -> answer.complete(result);
    }
  }

  DatabaseWriter(Transaction transaction, SqliteErrors errors) {
    this.transaction = transaction;
    this.errors = errors;
    this.thread =
        Thread.ofPlatform().daemon().name("writer-" + errors.file().getFileName()).start(this::run);
  }

  /** What is wrong with the database, as far as the last write knows. */
  Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  synchronized <T extends @Nullable Object> CompletableFuture<T> submit(Job<T> job) {
    Waiting<T> waiting = new Waiting<>(job, new CompletableFuture<>());
    if (closed) {
      waiting.answer().completeExceptionally(errors.closed());
    } else if (!queue.offer(waiting)) {
      waiting.answer().completeExceptionally(errors.overloaded());
    }
    return waiting.answer();
  }

  private void run() {
    List<Waiting<?>> batch = new ArrayList<>();
    while (!isDone()) {
      try {
        batch.add(queue.take());
        queue.drainTo(batch, LARGEST_BATCH - 1);
        write(batch);
      } catch (InterruptedException e) {
        log.debug("closing: {} jobs are left", queue.size());
      } catch (RuntimeException | Error e) {
        // Nobody may wait for ever for a thread that has died.
        log.error("the writer of {} goes on after a failure", errors.file(), e);
        batch.forEach(waiting -> waiting.answer().completeExceptionally(e));
      }
      batch.clear();
    }
    transaction.close();
  }

  private synchronized boolean isDone() {
    return closed && queue.isEmpty();
  }

  private void write(List<Waiting<?>> batch) {
    List<Runnable> answers;
    try {
      answers =
          transaction.run(
              "begin immediate", tx -> batch.stream().map(waiting -> waiting.run(tx)).toList());
      if (problem != null) {
        log.info("{} can be written to again", errors.file());
      }
      problem = null;
    } catch (RuntimeException | Error e) {
      Throwable why = e instanceof StatementException failed ? errors.explained(failed) : e;
      if (why instanceof StoreException) {
        if (!Objects.equals(why.getMessage(), problem)) {
          log.error("{}", why.getMessage());
        }
        problem = why.getMessage();
        batch.forEach(waiting -> waiting.answer().completeExceptionally(why));
      } else if (batch.size() == 1) {
        batch.getFirst().answer().completeExceptionally(e);
      } else {
        batch.forEach(waiting -> write(List.of(waiting)));
      }
      return;
    }
    // What callers do with their answers costs the writer nothing.
    Thread.startVirtualThread(() -> answers.forEach(Runnable::run));
  }

  /** Does what has been submitted, and ends. */
  void close() throws InterruptedException {
    synchronized (this) {
      closed = true;
    }
    thread.interrupt();
    thread.join();
  }
}
