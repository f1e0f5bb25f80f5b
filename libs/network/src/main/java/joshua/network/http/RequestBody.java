package joshua.network.http;

import io.javalin.http.BadRequestResponse;
import io.javalin.http.ContentTooLargeResponse;
import io.javalin.http.HttpResponseException;
import io.javalin.http.ServiceUnavailableResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.EndPoint;

/**
 * The body of an HTTP request, read within the {@link MessageBudget}. Up to {@link
 * MessageBudget#FREE_BYTES}, memory is taken for what has come rather than for what is announced;
 * beyond that for the whole body at once, so that bodies can't block each other.
 */
final class RequestBody {
  private static final int FIRST_BYTES = 8 * 1024;

  private final MessageBudget.Share share;
  private byte[] bytes = new byte[0];
  private int size;
  private long windowBegin;
  private int sizeAtBegin;

  RequestBody(MessageBudget.Share share) {
    this.share = share;
  }

  /** Reads the body, and takes the memory of its tree. */
  byte[] read(HttpServletRequest request, EndPoint endPoint, int limit)
      throws InterruptedException {
    long announced = request.getContentLengthLong();
    if (announced > limit) {
      throw new ContentTooLargeResponse();
    }
    int most = announced < 0 ? limit + 1 : (int) announced;
    long idle = endPoint.getIdleTimeout();
    endPoint.setIdleTimeout(share.budget().slowWindow().toMillis()); // ends a stalled one
    try {
      InputStream input = request.getInputStream();
      grow(Math.min(most, FIRST_BYTES));
      for (int read = 0; read >= 0 && size < most; ) {
        if (size == bytes.length) {
          grow(size < MessageBudget.FREE_BYTES || announced < 0 ? Math.min(2 * size, most) : most);
        }
        checkSpeed();
        read = input.read(bytes, size, bytes.length - size);
        size += Math.max(read, 0);
      }
    } catch (IOException e) {
      throw e.getCause() instanceof TimeoutException ? tooSlow() : new BadRequestResponse();
    } finally {
      endPoint.setIdleTimeout(idle);
    }
    if (size > limit) {
      throw new ContentTooLargeResponse();
    }
    byte[] body = size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    take(Math.max(0, MessageBudget.weight(body) - bytes.length));
    return body;
  }

  private void grow(int capacity) throws InterruptedException {
    take(capacity - bytes.length);
    bytes = Arrays.copyOf(bytes, capacity);
    windowBegin = System.nanoTime(); // the wait isn't the client's fault
    sizeAtBegin = size;
  }

  private void take(int weight) throws InterruptedException {
    if (!share.take(weight)) {
      throw new ServiceUnavailableResponse();
    }
  }

  private void checkSpeed() {
    long now = System.nanoTime();
    if (now - windowBegin >= share.budget().slowWindow().toNanos()) {
      if (size - sizeAtBegin < share.budget().slowBytes()) {
        throw tooSlow();
      }
      windowBegin = now;
      sizeAtBegin = size;
    }
  }

  private static HttpResponseException tooSlow() {
    return new HttpResponseException(408, "the body comes too slowly");
  }
}
