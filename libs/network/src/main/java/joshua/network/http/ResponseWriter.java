package joshua.network.http;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writer of responses that take a while: it writes until they are complete, the client has
 * gone, or the request's token is no longer in force.
 */
final class ResponseWriter {
  private static final Logger log = LoggerFactory.getLogger(ResponseWriter.class);

  private final RevocationWatch revocations;
  private final SocketMemoryBudget socketMemoryBudget;

  ResponseWriter(RevocationWatch revocations, SocketMemoryBudget socketMemoryBudget) {
    this.revocations = revocations;
    this.socketMemoryBudget = socketMemoryBudget;
  }

  /** A queue for a response, to be closed by {@link #write} or by its user. */
  ResponseQueue newQueue() {
    return new ResponseQueue(socketMemoryBudget);
  }

  /** Writes one response. */
  @FunctionalInterface
  interface Writing {
    /**
     * Writes messages as they come.
     *
     * @param mayHear whether the request's token still stands for its caller
     */
    void write(BooleanSupplier mayHear) throws IOException, InterruptedException;
  }

  /**
   * Writes it, and closes its queue. A revoked token ends both the response and the work.
   *
   * @param cancels whether the work ends, too, when the client goes
   */
  void write(
      HttpServletRequest request,
      ResponseQueue queue,
      Thread worker,
      Writing writing,
      boolean cancels) {
    BooleanSupplier mayHear = () -> RequestFilter.isStillCaller(request);
    Runnable end =
        () -> {
          queue.revoke();
          worker.interrupt();
        };
    try (RevocationWatch.Watched watched = revocations.watch(mayHear, end)) {
      watched.look();
      writing.write(mayHear);
    } catch (IOException e) {
      log.debug("a client has gone before its answer", e);
      if (cancels) {
        worker.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      queue.close();
    }
  }
}
