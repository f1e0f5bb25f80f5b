package joshua.conversation.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.async.RedisPubSubAsyncCommands;
import io.lettuce.core.resource.ClientResources;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.ChannelPattern;

/**
 * A diagnosis of a Redis server on which the bus doesn't work, or soon won't: what the user may do
 * there, and what the server's settings allow. Changes nothing, and sends nothing on {@code mad.*}.
 */
public final class RedisDiagnostics {
  private static final String CLIENT = "joshua-doctor";

  /** No participant's channel; nothing is published there. */
  private static final String CHANNEL = "mad.direct.joshua-doctor";

  /** Not a channel of the bus, so a message published there has no receivers. */
  private static final String NOWHERE = "joshua-doctor";

  /** Redis compares the patterns of an ACL literally, so this is a separate check. */
  private static final List<String> PATTERNS =
      List.of(ChannelPattern.ALL.text(), "mad.topic.joshua-doctor.*");

  private static final List<String> SETTINGS = List.of("client-output-buffer-limit", "timeout");
  private static final List<String> SECTIONS = List.of("server", "clients", "memory");
  private static final int NANOS_A_MICROSECOND = 1_000;

  /**
   * What a participant needs on the bus besides PUBLISH.
   *
   * @param figures whether PUBSUB NUMPAT and NUMSUB are needed
   */
  public record Needs(List<String> channels, List<String> patterns, boolean figures) {
    /** The needs of a relay: every channel and pattern. */
    public static final Needs RELAY = new Needs(List.of(CHANNEL), PATTERNS, true);

    public Needs {
      channels = List.copyOf(channels);
      patterns = List.copyOf(patterns);
    }

    /** The same without the figures. */
    public Needs withoutFigures() {
      return new Needs(channels, patterns, false);
    }
  }

  /**
   * The findings.
   *
   * @param open whether it accepts a connection without a password
   * @param forbidden what is needed, but this user may not do
   * @param answersWithin how long a PING took
   * @param ahead how far the server's clock is ahead of ours; empty if the user may not ask
   * @param told settings and figures by the server's names for them, as far as the user may ask
   */
  public record Found(
      boolean open,
      List<String> forbidden,
      Duration answersWithin,
      Optional<Duration> ahead,
      Map<String, String> told) {
    public Found {
      forbidden = List.copyOf(forbidden);
      told = Map.copyOf(told);
    }
  }

  private final RedisAddress address;
  private final Needs needs;
  private final InstantSource time;
  private final ConnectionTimeouts timing;

  private RedisDiagnostics(RedisAddress address, Needs needs, InstantSource time) {
    this.address = address;
    this.needs = needs;
    this.time = time;
    this.timing = ConnectionTimeouts.CONTRACT;
  }

  /**
   * Runs the diagnosis.
   *
   * @throws BusUnavailableException if Redis can't be reached or refuses the login
   */
  public static Found look(RedisAddress address, Needs needs, InstantSource time)
      throws BusUnavailableException, InterruptedException {
    return new RedisDiagnostics(address, needs, time).look();
  }

  private Found look() throws BusUnavailableException, InterruptedException {
    ClientResources resources = RedisClients.resources().build();
    RedisClient client = RedisClients.client(resources, address, timing, ProtocolVersion.RESP3);
    RedisURI uri = address.uriFor(CLIENT, timing.openWithin());
    try (StatefulRedisConnection<String, byte[]> connection =
            opened(client.connectAsync(RedisClients.CODEC, uri));
        StatefulRedisPubSubConnection<String, byte[]> receiving =
            opened(client.connectPubSubAsync(RedisClients.CODEC, uri))) {
      RedisAsyncCommands<String, byte[]> commands = connection.async();
      Instant before = time.instant();
      var _ = refusal(commands.ping());
      Duration answersWithin = Duration.between(before, time.instant());
      List<String> forbidden = forbidden(commands, receiving.async());
      return new Found(isOpen(client), forbidden, answersWithin, ahead(commands), told(commands));
    } finally {
      RedisClients.shutdown(client, resources);
    }
  }

  private <C> C opened(CompletionStage<C> connecting)
      throws BusUnavailableException, InterruptedException {
    try {
      return connecting
          .toCompletableFuture()
          .get(timing.openWithin().toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw RedisFaults.connecting(address, e);
    }
  }

  /** Redis' message if the user may not ask; empty if it has answered. */
  private Optional<String> refusal(Future<?> question)
      throws BusUnavailableException, InterruptedException {
    try {
      var _ = question.get(timing.replyWithin().toMillis(), TimeUnit.MILLISECONDS);
      return Optional.empty();
    } catch (ExecutionException e) {
      return Optional.of(
          RedisFaults.reply(e)
              .filter(reply -> reply.startsWith("NOPERM"))
              .orElseThrow(() -> RedisFaults.connecting(address, e)));
    } catch (TimeoutException e) {
      throw RedisFaults.connecting(address, e);
    }
  }

  private boolean may(Future<?> question) throws BusUnavailableException, InterruptedException {
    return refusal(question).isEmpty();
  }

  private <T> Optional<T> ifPermitted(Future<T> question)
      throws BusUnavailableException, InterruptedException {
    return may(question) ? Optional.of(question.resultNow()) : Optional.empty();
  }

  private List<String> forbidden(
      RedisAsyncCommands<String, byte[]> commands,
      RedisPubSubAsyncCommands<String, byte[]> receiving)
      throws BusUnavailableException, InterruptedException {
    List<String> forbidden = new ArrayList<>();
    for (String channel : needs.channels()) {
      if (!may(receiving.subscribe(channel))) {
        forbidden.add("SUBSCRIBE " + channel);
      }
    }
    for (String pattern : needs.patterns()) {
      if (!may(receiving.psubscribe(pattern))) {
        forbidden.add("PSUBSCRIBE " + pattern);
      }
    }
    if (!mayPublish(commands)) {
      forbidden.add("PUBLISH");
    }
    if (needs.figures() && !may(commands.pubsubNumpat())) {
      forbidden.add("PUBSUB NUMPAT");
    }
    if (needs.figures() && !may(commands.pubsubNumsub(CHANNEL))) {
      forbidden.add("PUBSUB NUMSUB");
    }
    return forbidden;
  }

  /**
   * Whether the command is permitted at all. That its channels are those of SUBSCRIBE is left to
   * the ACL's author: to try it would be heard on the bus.
   */
  private boolean mayPublish(RedisAsyncCommands<String, byte[]> commands)
      throws BusUnavailableException, InterruptedException {
    return refusal(commands.publish(NOWHERE, new byte[0]))
        .filter(reply -> reply.contains("to run the"))
        .isEmpty();
  }

  private boolean isOpen(RedisClient client) throws InterruptedException {
    RedisURI anonymous = address.anonymousUri(timing.connectWithin());
    try (StatefulRedisConnection<String, byte[]> connection =
        opened(client.connectAsync(RedisClients.CODEC, anonymous))) {
      return may(connection.async().ping());
    } catch (BusUnavailableException e) {
      return false;
    }
  }

  private Optional<Duration> ahead(RedisAsyncCommands<String, byte[]> commands)
      throws BusUnavailableException, InterruptedException {
    Instant before = time.instant();
    Optional<List<byte[]>> told = ifPermitted(commands.time());
    Instant between = before.plus(Duration.between(before, time.instant()).dividedBy(2));
    return told.filter(parts -> parts.size() == 2)
        .map(parts ->
            Instant.ofEpochSecond(number(parts.get(0)), number(parts.get(1)) * NANOS_A_MICROSECOND))
        .map(there -> Duration.between(between, there));
  }

  private static long number(byte[] digits) {
    return Long.parseLong(new String(digits, StandardCharsets.US_ASCII));
  }

  private Map<String, String> told(RedisAsyncCommands<String, byte[]> commands)
      throws BusUnavailableException, InterruptedException {
    Map<String, String> told = new LinkedHashMap<>();
    for (String section : SECTIONS) {
      ifPermitted(commands.info(section)).ifPresent(text -> addLines(text, told));
    }
    for (String setting : SETTINGS) {
      ifPermitted(commands.configGet(setting)).ifPresent(told::putAll);
    }
    return told;
  }

  private static void addLines(String text, Map<String, String> told) {
    text.lines()
        .map(line -> line.split(":", 2))
        .filter(parts -> parts.length == 2)
        .forEach(parts -> told.put(parts[0], parts[1]));
  }
}
