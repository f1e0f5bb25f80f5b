package joshua.network.bridge;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import joshua.kernel.ErrorCode;
import joshua.network.bridge.EndpointResolver.EndpointUnavailableException;
import joshua.network.bridge.EndpointResolver.Place;
import org.jspecify.annotations.Nullable;

/**
 * One WebSocket to a MAD. Messages go out in order, by a thread of its own, so that sending never
 * blocks. It doesn't reconnect.
 */
final class MadSocket implements WebSocket.Listener, AutoCloseable {
  /** From the first packet to the end of the handshake. */
  static final Duration OPENS_WITHIN = Duration.ofSeconds(3);

  /** A MAD from which nothing was heard for this long, pongs included, is gone. */
  static final Duration SILENCE = Duration.ofSeconds(15);

  /** The most messages that wait to be written. */
  static final int MAX_OUTGOING = 4096;

  /** The most characters of one message that is read: a result of the largest, shown twice. */
  static final int MAX_INCOMING = 64 * 1024 * 1024;

  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0).asReadOnlyBuffer();
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  private final McpClientSettings terms;
  private final Place place;
  private final Consumer<String> received;
  private final LongSupplier nanoTime;
  private final BlockingQueue<String> outgoing = new ArrayBlockingQueue<>(MAX_OUTGOING);
  private final CompletableFuture<String> ended = new CompletableFuture<>();
  private final AtomicBoolean pinging = new AtomicBoolean();
  private final StringBuilder message = new StringBuilder();
  private volatile long heardAt;
  private volatile @Nullable WebSocket socket;

  private MadSocket(
      McpClientSettings terms, Place place, Consumer<String> received, LongSupplier nanoTime) {
    this.terms = terms;
    this.place = place;
    this.received = received;
    this.nanoTime = nanoTime;
    this.heardAt = nanoTime.getAsLong();
  }

  /**
   * Connects.
   *
   * @param received gets each message, one after the other; must not block
   */
  static MadSocket open(
      HttpClient http,
      McpClientSettings terms,
      Place place,
      Consumer<String> received,
      LongSupplier nanoTime)
      throws EndpointUnavailableException, InterruptedException {
    MadSocket opening = new MadSocket(terms, place, received, nanoTime);
    try {
      WebSocket.Builder builder =
          http.newWebSocketBuilder().connectTimeout(OPENS_WITHIN).subprotocols("mcp");
      place.token().ifPresent(token -> builder.header("Authorization", "Bearer " + token));
      WebSocket socket = builder.buildAsync(place.uri(), opening).get();
      Thread sender =
          Thread.ofVirtual()
              .name("bridge-" + terms.mad() + "-send")
              .start(() -> opening.sendAll(socket));
      var _ = opening.ended.thenRun(sender::interrupt);
      return opening;
    } catch (ExecutionException e) {
      throw opening.absent(e.getCause());
    } catch (IllegalArgumentException e) {
      throw new EndpointUnavailableException(
          "The bearer token for %s can't be sent in a header.".formatted(terms.mad()));
    } catch (InterruptedException e) {
      opening.close();
      throw e;
    }
  }

  private EndpointUnavailableException absent(@Nullable Throwable cause) {
    return switch (cause) {
      case WebSocketHandshakeException refused -> refused(refused.getResponse().statusCode());
      case ConnectException _ ->
          new EndpointUnavailableException(
              "Joshua's %s isn't there: nothing listens on %s. %s"
                  .formatted(terms.mad(), place.shown(), terms.remedy()));
      case null, default ->
          new EndpointUnavailableException(
              "Joshua's %s doesn't answer on %s.".formatted(terms.mad(), place.shown()));
    };
  }

  private EndpointUnavailableException refused(int status) {
    return switch (status) {
      case UNAUTHORIZED ->
          new EndpointUnavailableException(
              ErrorCode.UNAUTHENTICATED,
              (place.token().isPresent()
                      ? "Joshua's %s on %s doesn't know the token in the file that JOSHUA_TOKEN_FILE names."
                      : "Joshua's %s on %s wants a bearer token; set JOSHUA_TOKEN_FILE to a file that holds one.")
                  .formatted(terms.mad(), place.shown()));
      case FORBIDDEN ->
          new EndpointUnavailableException(
              ErrorCode.FORBIDDEN,
              "Joshua's %s refuses requests that are addressed to %s; see JOSHUA_ALLOWED_HOSTS."
                  .formatted(terms.mad(), place.shown()));
      default ->
          new EndpointUnavailableException(
              "What listens on %s isn't Joshua's %s (it answered with HTTP status %d)."
                  .formatted(place.shown(), terms.mad(), status));
    };
  }

  /** Completes with the reason, a clause, when the connection has ended. */
  CompletableFuture<String> ended() {
    return ended;
  }

  /** Sends a message after those before it; false if too many wait. */
  boolean send(String text) {
    return outgoing.offer(text);
  }

  private void sendAll(WebSocket to) {
    try {
      while (!ended.isDone()) {
        to.sendText(outgoing.take(), true).get();
      }
    } catch (InterruptedException e) {
      // The connection has ended.
    } catch (ExecutionException e) {
      end("the connection broke");
    }
  }

  /** Pings the MAD, unless an earlier ping is still being sent; closes a silent connection. */
  void keepAlive() {
    WebSocket open = socket;
    if (nanoTime.getAsLong() - heardAt > SILENCE.toNanos()) {
      end("nothing was heard from it for %d s".formatted(SILENCE.toSeconds()));
    } else if (open != null && pinging.compareAndSet(false, true)) {
      var _ = open.sendPing(EMPTY.duplicate()).whenComplete((_, _) -> pinging.set(false));
    }
  }

  @Override
  public void onOpen(WebSocket opened) {
    socket = opened;
    if (ended.isDone()) {
      opened.abort();
    }
    opened.request(1);
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
    heardAt = nanoTime.getAsLong();
    if (message.length() + part.length() > MAX_INCOMING) {
      end("it sent a message larger than %d characters".formatted(MAX_INCOMING));
      return null;
    }
    message.append(part);
    if (last) {
      String text = message.toString();
      message.setLength(0);
      received.accept(text);
    }
    from.request(1);
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onPing(WebSocket from, ByteBuffer data) {
    heardAt = nanoTime.getAsLong();
    from.request(1);
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onPong(WebSocket from, ByteBuffer data) {
    heardAt = nanoTime.getAsLong();
    from.request(1);
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
    end("it closed the connection (%d %s)".formatted(code, reason).replace(" )", ")"));
    return null;
  }

  @Override
  public void onError(WebSocket from, Throwable cause) {
    end(cause instanceof IOException ? "the connection broke" : "it sent what can't be read");
  }

  /** Closes the connection. */
  void end(String why) {
    if (ended.complete(why)) {
      WebSocket open = socket;
      if (open != null) {
        open.abort();
      }
    }
  }

  @Override
  public void close() {
    end("the bridge ends");
  }
}
