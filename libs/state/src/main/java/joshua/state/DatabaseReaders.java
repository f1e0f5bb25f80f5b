package joshua.state;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Threads that read a database, each over a connection of its own that can't write, for a limited
 * time.
 */
final class DatabaseReaders {
  private final SqliteErrors errors;
  private final Duration within;
  private final BlockingQueue<Transaction> idle;
  private final ExecutorService threads;

  DatabaseReaders(Iterable<Transaction> connections, SqliteErrors errors, Duration within) {
    this.errors = errors;
    this.within = within;
    this.idle = new LinkedBlockingQueue<>();
    connections.forEach(idle::add);
    this.threads =
        Executors.newFixedThreadPool(
            idle.size(), Thread.ofPlatform().daemon().name("reader-", 0).factory());
  }

  <T extends @Nullable Object> CompletableFuture<T> submit(Job<T> job) {
    try {
      return CompletableFuture.supplyAsync(() -> read(job), threads);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          new StoreException(errors.file() + " has been closed.", e));
    }
  }

  private <T extends @Nullable Object> T read(Job<T> job) {
    Transaction transaction = idle.remove(); // there are as many as threads
    try {
      transaction.endWithin(within);
      return transaction.run("begin", job);
    } catch (StatementException e) {
      if (SqliteErrors.isInterrupted(e.failure())) {
        throw new StoreException(
            "That took longer than %d s, which is the most. Ask for less at once."
                .formatted(within.toSeconds()),
            e);
      }
      throw errors.explained(e);
    } finally {
      idle.add(transaction);
    }
  }

  void close() throws InterruptedException {
    threads.shutdown();
    if (!threads.awaitTermination(within.toMillis(), TimeUnit.MILLISECONDS)) {
      threads.shutdownNow();
    }
    idle.forEach(Transaction::close);
  }
}
