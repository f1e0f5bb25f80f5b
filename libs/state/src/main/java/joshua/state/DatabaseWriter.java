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
 * The thread that writes to a database. It runs all queued jobs in one transaction and completes
 * them after its commit (group commit): while a commit waits for the disk, up to {@value
 * #MAX_QUEUED} jobs queue up.
 *
 * <p>If one of them fails, all are rolled back and run again, one by one. Guarded by itself: no job
 * is added once it is closed.
 */
final class DatabaseWriter {
  static final int MAX_QUEUED = 10_000;

  /** Jobs of one transaction, which wait for each other. */
  private static final int MAX_BATCH = 256;

  private static final Logger log = LoggerFactory.getLogger(DatabaseWriter.class);

  private final Transaction transaction;
  private final SqliteErrors errors;
  private final BlockingQueue<QueuedJob<?>> queue = new LinkedBlockingQueue<>(MAX_QUEUED);
  private final Thread thread;
  private boolean closed;
  private volatile @Nullable String problem;

  /** A job and its future result. */
  private record QueuedJob<T extends @Nullable Object>(Job<T> job, CompletableFuture<T> answer) {
    /** Runs the job; the result completes its answer, once the transaction is committed. */
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

  /** The problem of the last write, if the database was at fault. */
  Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  synchronized <T extends @Nullable Object> CompletableFuture<T> submit(Job<T> job) {
    QueuedJob<T> waiting = new QueuedJob<>(job, new CompletableFuture<>());
    if (closed) {
      waiting.answer().completeExceptionally(errors.closed());
    } else if (!queue.offer(waiting)) {
      waiting.answer().completeExceptionally(errors.overloaded());
    }
    return waiting.answer();
  }

  private void run() {
    List<QueuedJob<?>> batch = new ArrayList<>();
    while (!isDone()) {
      try {
        batch.add(queue.take());
        queue.drainTo(batch, MAX_BATCH - 1);
        write(batch);
      } catch (InterruptedException e) {
        log.debug("closing: {} jobs are left", queue.size());
      } catch (RuntimeException | Error e) {
        // The thread must survive: callers would wait for ever.
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

  private void write(List<QueuedJob<?>> batch) {
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
    // On another thread, so that callers' stages don't delay the writer.
    Thread.startVirtualThread(() -> answers.forEach(Runnable::run));
  }

  /** Runs the submitted jobs, then ends. */
  void close() throws InterruptedException {
    synchronized (this) {
      closed = true;
    }
    thread.interrupt();
    thread.join();
  }
}
