package joshua.state;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A pool of threads that read a database, each over a read-only connection of its own. The timeout
 * holds for a read, and for the wait for a connection before it.
 */
final class DatabaseReaders {
  private final SqliteErrors errors;
  private final Duration timeout;
  private final BlockingQueue<Transaction> idle;
  private final ExecutorService threads;

  DatabaseReaders(List<Transaction> connections, SqliteErrors errors, Duration timeout) {
    this.errors = errors;
    this.timeout = timeout;
    this.idle = new LinkedBlockingQueue<>(connections);
    this.threads =
        Executors.newFixedThreadPool(
            connections.size(), Thread.ofPlatform().daemon().name("reader-", 0).factory());
  }

  /** Blocks until a connection is free, then begins a read. */
  <T extends @Nullable Object> CompletableFuture<T> begin(Job<T> job) {
    Transaction transaction = idle.poll();
    try {
      if (transaction == null) {
        transaction = idle.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (transaction == null) {
      throw errors.overloaded();
    }
    Transaction free = transaction;
    try {
      return CompletableFuture.supplyAsync(() -> read(free, job), threads);
    } catch (RejectedExecutionException e) {
      idle.add(free);
      throw errors.closed();
    }
  }

  private <T extends @Nullable Object> T read(Transaction transaction, Job<T> job) {
    try {
      transaction.setTimeout(timeout);
      return transaction.run("begin", job);
    } catch (StatementException e) {
      if (SqliteErrors.isInterrupted(e.failure())) {
        throw new StoreException(
            "That took longer than %d s, which is the most. Ask for less at once."
                .formatted(timeout.toSeconds()),
            e);
      }
      throw errors.explained(e);
    } finally {
      idle.add(transaction);
    }
  }

  void close() throws InterruptedException {
    threads.shutdown();
    if (!threads.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
      threads.shutdownNow();
    }
    idle.forEach(Transaction::close);
  }
}
