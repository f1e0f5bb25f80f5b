package joshua.conversation.redis;

import static joshua.conversation.redis.BusParticipants.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.Gap;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.RecordingHandler;
import joshua.conversation.SendResult;
import joshua.testing.FreePort;
import joshua.testing.InstalledProgram;
import joshua.testing.RawRedis;
import joshua.testing.TestRequirements;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code redis-sentinel://}: the bus follows the master, also to another place. */
class SentinelTest {
  private static final String PASSWORD = "a-password-for-sentinel";
  private static final Duration FAILOVER_WITHIN = Duration.ofSeconds(60);

  @TempDir Path directory;

  private InstalledProgram redis(Path program, int port, String... more) throws IOException {
    Path conf = directory.resolve(port + ".conf");
    String text =
        """
        bind 127.0.0.1
        port %d
        save ""
        requirepass %s
        masterauth %s
        repl-diskless-sync-delay 0
        dbfilename %d.rdb
        %s
        """;
    Files.writeString(
        conf,
        text.formatted(port, PASSWORD, PASSWORD, port, String.join(System.lineSeparator(), more)));
    return InstalledProgram.start(directory, program, conf.toString())
        .awaitSaying("Ready to accept connections");
  }

  private InstalledProgram sentinel(Path program, int port, int master) throws IOException {
    Path conf = directory.resolve("sentinel.conf");
    Files.writeString(
        conf,
        """
        bind 127.0.0.1
        port %d
        sentinel monitor mymaster 127.0.0.1 %d 1
        sentinel auth-pass mymaster %s
        sentinel down-after-milliseconds mymaster 500
        sentinel failover-timeout mymaster 5000
        """
            .formatted(port, master, PASSWORD));
    return InstalledProgram.start(directory, program, conf.toString())
        .awaitSaying("+monitor master mymaster");
  }

  private static RedisAddress address(int port, String master) throws BusUnavailableException {
    return RedisAddress.of(
        "redis-sentinel://127.0.0.1:%d#%s".formatted(port, master),
        Optional.of(PASSWORD),
        Optional.empty(),
        Duration.ofSeconds(5));
  }

  @Test
  void theBusFollowsTheMasterThatTheSentinelNames() throws Exception {
    Path server = TestRequirements.program("redis-server", "apt-get install redis-server");
    Path watcher = TestRequirements.program("redis-sentinel", "apt-get install redis-sentinel");
    int first = FreePort.any();
    int second = FreePort.any();
    int sentinelPort = FreePort.any();
    try (InstalledProgram master = redis(server, first);
        InstalledProgram replica = redis(server, second, "replicaof 127.0.0.1 " + first);
        InstalledProgram sentinel = sentinel(watcher, sentinelPort, first);
        BusParticipants participants = new BusParticipants()) {
      replica.awaitSaying("MASTER <-> REPLICA sync: Finished with success");
      sentinel.awaitSaying("+slave slave 127.0.0.1:" + second);
      ConversationBus alice =
          participants.join("alice", address(sentinelPort, "mymaster"), BusParticipants.CALM);
      RecordingHandler handler = new RecordingHandler();
      alice.subscribe(ChannelPattern.exactly(Channel.topic("x")), handler);
      alice.send(OutgoingMessage.on(Channel.topic("x"), numbered(1)));
      handler.awaitMessages(1);
      try (RawRedis raw = RawRedis.to(first, PASSWORD)) {
        assertThat(raw.subscribers("mad.topic.x")).isEqualTo(1);
      }

      master.kill();
      handler.awaitGaps(1);
      assertThat(handler.gaps().getFirst().reason()).isEqualTo(Gap.Reason.RECONNECT);
      await()
          .atMost(FAILOVER_WITHIN)
          .until(() ->
              alice.send(OutgoingMessage.on(Channel.topic("x"), numbered(2)))
                      instanceof SendResult.Accepted sent
                  && sent.receivers() > 0);
      await().until(() -> handler.numbers().contains(2));
      try (RawRedis raw = RawRedis.to(second, PASSWORD)) {
        assertThat(raw.subscribers("mad.topic.x")).isEqualTo(1);
      }

      assertThatThrownBy(
              () -> participants.join("bob", address(sentinelPort, "nobody"), BusParticipants.CALM))
          .isInstanceOf(BusUnavailableException.class)
          .hasMessageStartingWith(
              "Redis at master nobody of Sentinels [127.0.0.1:%d] can't be reached ("
                  .formatted(sentinelPort));
    }
  }
}
