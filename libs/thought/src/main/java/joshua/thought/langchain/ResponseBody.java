package joshua.thought.langchain;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import joshua.thought.StageDeadline;
import org.jspecify.annotations.Nullable;

/**
 * A response body that is passed from the HTTP client's threads to the reading thread, one piece at
 * a time: the next is requested when the one before has been taken.
 */
final class ResponseBody implements HttpResponse.BodySubscriber<ResponseBody> {
  /** How long to wait for the text of an error response. */
  private static final Duration REFUSAL_WITHIN = Duration.ofSeconds(2);

  /** How long to wait for the end of the body after a complete answer. */
  private static final Duration END_WITHIN = Duration.ofMillis(100);

  /** An event of the body. */
  private sealed interface Event {
    record Piece(List<ByteBuffer> buffers) implements Event {}

    record End(Optional<Throwable> fault) implements Event {}
  }

  private final ModelCall modelCall;

  /** Room for one piece, since only one is requested, and the end. */
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>(2);

  private final CompletableFuture<ResponseBody> opened = new CompletableFuture<>();
  private volatile Flow.@Nullable Subscription subscription;
  private volatile boolean abandoned;

  ResponseBody(ModelCall modelCall) {
    this.modelCall = modelCall;
  }

  @Override
  public CompletionStage<ResponseBody> getBody() {
    return opened;
  }

  @Override
  public void onSubscribe(Flow.Subscription begun) {
    subscription = begun;
    if (abandoned) {
      begun.cancel();
    } else {
      begun.request(1);
    }
    opened.complete(this);
  }

  /**
   * Stops reading: the connection is closed unless the body has ended. The body may not have begun
   * yet.
   */
  void abandon() {
    abandoned = true;
    Flow.Subscription begun = subscription;
    if (begun != null) {
      begun.cancel();
    }
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    put(new Event.Piece(buffers));
  }

  @Override
  public void onError(Throwable fault) {
    put(new Event.End(Optional.of(fault)));
  }

  @Override
  public void onComplete() {
    put(new Event.End(Optional.empty()));
  }

  /** There is always room, as long as no more is sent than was requested. */
  private void put(Event event) {
    if (!events.offer(event)) {
      throw new IllegalStateException("a piece of a body that nobody asked for");
    }
  }

  /** A stream for the thread of the call. */
  Stream stream() {
    return new Stream();
  }

  /** A stream that ends when the call does. */
  final class Stream extends InputStream {
    private final Deque<ByteBuffer> buffers = new ArrayDeque<>();
    private boolean ended;

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (modelCall.isDone() && !ended) {
        finish();
      }
      while (buffers.isEmpty()) {
        if (ended || !next()) {
          ended = true;
          return -1;
        }
      }
      if (modelCall.isOver()) {
        throw new IOException("the request is over");
      }
      if (modelCall.left().isZero()) {
        throw modelCall.timedOut();
      }
      ByteBuffer buffer = buffers.getFirst();
      int count = Math.min(length, buffer.remaining());
      buffer.get(target, offset, count);
      if (!buffer.hasRemaining()) {
        buffers.removeFirst();
      }
      modelCall.received(count);
      return count;
    }

    /**
     * At most this many bytes as text, of what arrives soon. An error response whose text doesn't
     * come is still an error response: the call records no failure.
     */
    String beginning(int most) throws InterruptedException {
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      StageDeadline soon = StageDeadline.in(REFUSAL_WITHIN);
      while (text.size() < most) {
        Duration left =
            soon.left().compareTo(modelCall.left()) < 0 ? soon.left() : modelCall.left();
        if (!(events.poll(left.toNanos(), TimeUnit.NANOSECONDS) instanceof Event.Piece piece)) {
          break;
        }
        for (ByteBuffer buffer : piece.buffers()) {
          byte[] bytes = new byte[Math.min(buffer.remaining(), most - text.size())];
          buffer.get(bytes);
          text.writeBytes(bytes);
        }
        Objects.requireNonNull(subscription).request(1);
      }
      return text.toString(StandardCharsets.UTF_8);
    }

    /** Reads the body to its end, so that the connection can be reused. */
    private void finish() {
      ended = true;
      buffers.clear();
      StageDeadline soon = StageDeadline.in(END_WITHIN);
      try {
        while (events.poll(soon.left().toNanos(), TimeUnit.NANOSECONDS) instanceof Event.Piece) {
          Objects.requireNonNull(subscription).request(1);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private boolean next() throws IOException {
      if (modelCall.isOver()) {
        throw new IOException("the request is over");
      }
      Event event;
      try {
        event = events.poll(modelCall.left().toNanos(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        modelCall.interrupt();
        throw new IOException("interrupted", e);
      }
      return switch (event) {
        case null -> throw modelCall.timedOut();
        case Event.Piece(List<ByteBuffer> pieces) -> {
          pieces.stream().filter(ByteBuffer::hasRemaining).forEach(buffers::add);
          Objects.requireNonNull(subscription).request(1);
          yield true;
        }
        case Event.End(Optional<Throwable> fault) -> {
          if (fault.isPresent()) {
            throw modelCall.brokenOff(fault.get());
          }
          yield false;
        }
      };
    }

    @Override
    public void close() {
      ended = true;
      abandon();
    }
  }
}
