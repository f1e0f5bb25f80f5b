package joshua.conversation.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.RecordingHandler;
import joshua.conversation.SendResult;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.testing.FreePort;
import joshua.testing.InstalledProgram;
import joshua.testing.RawRedis;
import joshua.testing.TestRequirements;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user whom Redis' ACL permits less than the bus can do (REQ-DP-02). */
class RedisAccessTest {
  private static final String PASSWORD = "a-password-for-limited";

  @TempDir Path directory;

  private InstalledProgram redis(int port) throws IOException {
    Path program = TestRequirements.program("redis-server", "apt-get install redis-server");
    Path conf = directory.resolve("redis.conf");
    Files.writeString(
        conf,
        """
        bind 127.0.0.1
        port %d
        save ""
        user default off
        user limited on >%s resetchannels &mad.topic.* &mad.system.* &mad.direct.limited +@all
        """
            .formatted(port, PASSWORD));
    return InstalledProgram.start(directory, program, conf.toString())
        .awaitSaying("Ready to accept connections");
  }

  @Test
  void whatTheAclForbidsIsRefusedWithASentenceAndDisturbsNothingElse() throws Exception {
    int port = FreePort.any();
    try (InstalledProgram redis = redis(port);
        BusParticipants participants = new BusParticipants()) {
      RedisAddress address =
          RedisAddress.of(
              "redis://limited@127.0.0.1:" + port,
              Optional.of(PASSWORD),
              Optional.empty(),
              Duration.ofSeconds(5));
      ConversationBus limited = participants.join("limited", address, BusParticipants.CALM);
      RecordingHandler handler = new RecordingHandler();
      limited.subscribe(new ChannelPattern("mad.topic.*"), handler);

      assertThat(limited.send(OutgoingMessage.toAll(Json.object())))
          .isInstanceOfSatisfying(
              SendResult.Refused.class,
              refused -> {
                assertThat(refused.refusal().code()).isEqualTo(ErrorCode.BUS_UNAVAILABLE);
                assertThat(refused.refusal().message())
                    .startsWith("Redis at 127.0.0.1:" + port + " refused the message: NOPERM");
                assertThat(refused.refusal().details().get("outcome").textValue())
                    .isEqualTo("not_sent");
              });
      for (ChannelPattern forbidden :
          List.of(ChannelPattern.ALL, ChannelPattern.exactly(Channel.BROADCAST))) {
        assertThatThrownBy(() -> limited.subscribe(forbidden, handler))
            .isInstanceOf(BusUnavailableException.class)
            .hasMessageStartingWith(
                "Redis at 127.0.0.1:%d refused the subscription to %s (NOPERM"
                    .formatted(port, forbidden))
            .hasMessageEndingWith("Check the user's ACL.");
      }

      // Followed all the same, it is asked for again after a reconnect, and takes no other along.
      var _ = limited.followAsync(handler, List.of(ChannelPattern.ALL));
      try (RawRedis admin = redisCli(port)) {
        admin.call("CLIENT", "KILL", "TYPE", "pubsub");
      }
      handler.awaitGaps(1);
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> {
            var _ = limited.send(OutgoingMessage.on(Channel.topic("x"), Json.object()));
            return !handler.messages().isEmpty();
          });
      assertThat(redis.pid()).isPositive();
    }
  }

  private static RawRedis redisCli(int port) {
    RawRedis raw = RawRedis.anonymous(port);
    assertThat(raw.call("AUTH", "limited", PASSWORD)).isEqualTo("OK");
    return raw;
  }
}
