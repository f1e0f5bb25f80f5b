package joshua.conversation.redis;

import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import joshua.conversation.BusLink.Publication;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.Channel;
import joshua.kernel.TimedWait;

/**
 * The connection that publishes. A limited number of messages, {@value #REQUEST_LIMIT} at most, and
 * of bytes wait for Redis' reply; further ones are refused.
 */
final class PublisherConnection implements AutoCloseable {
  static final int REQUEST_LIMIT = 50_000;

  private final RedisAddress address;
  private final RedisCodec<String, byte[]> codec;
  private final ConnectionTimeouts timing;
  private final long byteLimit;
  private final ReconnectingConnection<StatefulRedisConnection<String, byte[]>>
      reconnectingConnection;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong waitingBytes = new AtomicLong();

  PublisherConnection(
      RedisAddress address,
      RedisCodec<String, byte[]> codec,
      Supplier<CompletionStage<StatefulRedisConnection<String, byte[]>>> connector,
      ConnectionTimeouts timing,
      ReconnectBackoff reconnectBackoff,
      TimedWait timedWait,
      InstantSource time,
      long byteLimit) {
    this.address = address;
    this.byteLimit = byteLimit;
    this.codec = codec;
    this.timing = timing;
    this.reconnectingConnection =
        new ReconnectingConnection<>(
            "publishing",
            address,
            connector,
            new ReconnectingConnection.Owner<>() {
              @Override
              public void connected(StatefulRedisConnection<String, byte[]> connection) {}

              @Override
              public void lost(Instant lastKnownGood) {}
            },
            timing,
            reconnectBackoff,
            timedWait,
            time);
  }

  void open() throws BusUnavailableException, InterruptedException {
    reconnectingConnection.open();
  }

  boolean isConnected() {
    return reconnectingConnection.connection().isPresent();
  }

  CompletionStage<Publication> publish(Channel channel, byte[] body) {
    Optional<StatefulRedisConnection<String, byte[]>> connection =
        reconnectingConnection.connection();
    if (connection.isEmpty()) {
      return away();
    }
    if (!reserve(body.length)) {
      return notWritten(
          "Redis at %s does not keep up: %d messages await its reply. Send more slowly."
              .formatted(address.describe(), waiting.get()));
    }
    Publish command = new Publish(codec, channel, body);
    var _ = command.whenComplete((receivers, failure) -> release(body.length));
    try {
      connection.get().dispatch(command);
    } catch (RedisException e) {
      command.cancel();
      return away();
    }
    if (command.refusedUnwritten) {
      return away();
    }
    return command
        .thenApply(receivers -> (Publication) new Publication.Accepted(receivers))
        .orTimeout(timing.replyWithin().toMillis(), TimeUnit.MILLISECONDS)
        .exceptionally(this::failed);
  }

  private boolean reserve(int bytes) {
    int count = waiting.incrementAndGet();
    long total = waitingBytes.addAndGet(bytes);
    if (count > REQUEST_LIMIT || (total > byteLimit && count > 1)) {
      release(bytes);
      return false;
    }
    return true;
  }

  private void release(int bytes) {
    waiting.decrementAndGet();
    waitingBytes.addAndGet(-bytes);
  }

  private Publication failed(Throwable failure) {
    return RedisFaults.reply(failure)
        .<Publication>map(error ->
            new Publication.NotWritten(
                "Redis at %s refused the message: %s".formatted(address.describe(), error)))
        .orElseGet(Publication.OutcomeUnknown::new);
  }

  private CompletionStage<Publication> away() {
    return notWritten(
        "Redis at %s is away; try again when it is back.".formatted(address.describe()));
  }

  private static CompletionStage<Publication> notWritten(String why) {
    return CompletableFuture.completedFuture(new Publication.NotWritten(why));
  }

  CompletionStage<List<Long>> listeners(List<Channel> channels) {
    String[] names = channels.stream().map(Channel::name).toArray(String[]::new);
    return ask(commands -> commands.pubsubNumsub(names))
        .thenApply(counts ->
            channels.stream().map(channel -> counts.getOrDefault(channel.name(), 0L)).toList());
  }

  CompletionStage<Long> patterns() {
    return ask(RedisAsyncCommands::pubsubNumpat);
  }

  private <T> CompletionStage<T> ask(
      Function<RedisAsyncCommands<String, byte[]>, RedisFuture<T>> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    try {
      StatefulRedisConnection<String, byte[]> connection =
          reconnectingConnection
              .connection()
              .orElseThrow(() -> new RedisException("no connection"));
      var _ =
          question
              .apply(connection.async())
              .toCompletableFuture()
              .orTimeout(timing.replyWithin().toMillis(), TimeUnit.MILLISECONDS)
              .whenComplete((told, failure) -> {
                if (failure == null) {
                  answer.complete(told);
                } else {
                  answer.completeExceptionally(RedisFaults.connecting(address, failure));
                }
              });
    } catch (RedisException e) {
      answer.completeExceptionally(RedisFaults.connecting(address, e));
    }
    return answer;
  }

  @Override
  public void close() {
    reconnectingConnection.close();
  }

  /**
   * A PUBLISH that knows whether Lettuce refused it unwritten: it does so on the caller's own
   * thread. A message that fails later, on an I/O thread, may have been written.
   */
  private static final class Publish extends AsyncCommand<String, byte[], Long> {
    private final Thread caller = Thread.currentThread();
    private boolean refusedUnwritten;

    Publish(RedisCodec<String, byte[]> codec, Channel channel, byte[] body) {
      super(
          new Command<>(
              CommandType.PUBLISH,
              new IntegerOutput<>(codec),
              new CommandArgs<>(codec).addKey(channel.name()).addValue(body)));
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
      if (caller.equals(Thread.currentThread())) {
        refusedUnwritten = true;
      }
      return super.completeExceptionally(failure);
    }
  }
}
