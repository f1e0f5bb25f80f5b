package joshua.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The permissions of the embedded Redis' one user, as Redis itself answers. */
class EmbeddedAccessTest {
  @TempDir static Path directory;
  private static EmbeddedRedis redis;

  @BeforeAll
  static void start() throws Exception {
    redis = EmbeddedRedis.start(new EmbeddedRedis.Config(directory, 0, false), Thread::sleep);
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  private static String answer(String command) throws Exception {
    try (RespClient client = RespClient.of(redis)) {
      return client.call(command.split(" "));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PUBLISH mad.topic.x hello",
        "SUBSCRIBE mad.direct.me",
        "PSUBSCRIBE mad.*",
        "PSUBSCRIBE mad.topic.news.*",
        "UNSUBSCRIBE",
        "PUNSUBSCRIBE",
        "PUBSUB CHANNELS mad.*",
        "PUBSUB NUMSUB mad.broadcast",
        "PUBSUB NUMPAT",
        "PING",
        "ECHO hello",
        "INFO",
        "HELLO 3",
        "CLIENT SETNAME grace",
        "CLIENT GETNAME",
        "CLIENT ID",
        "COMMAND COUNT",
        "RESET",
      })
  void allows(String command) throws Exception {
    assertThat(answer(command)).doesNotStartWith("-");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PUBLISH other.topic.x hello",
        "PUBLISH mad hello",
        "SPUBLISH mad.x hello",
        "SUBSCRIBE other",
        "SUBSCRIBE mad.x other",
        "SET mad.x 1",
        "GET mad.x",
        "KEYS *",
        "DEL mad.x",
        "FLUSHALL",
        "SELECT 0",
        "EVAL return(1) 0",
        "EVALSHA 0 0",
        "FCALL f 0",
        "FUNCTION LIST",
        "SCRIPT FLUSH",
        "CONFIG GET *",
        "CONFIG SET save x",
        "ACL WHOAMI",
        "ACL LIST",
        "SHUTDOWN",
        "DEBUG SLEEP 1",
        "MONITOR",
        "CLIENT LIST",
        "CLIENT KILL TYPE pubsub",
        "REPLICAOF 127.0.0.1 1",
        "MODULE LIST",
        "SAVE",
        "MULTI",
      })
  void denies(String command) throws Exception {
    assertThat(answer(command))
        .startsWith("-")
        .containsAnyOf("NOPERM", "DEBUG command not allowed");
  }

  @Test
  void storesNothing() throws Exception {
    try (RespClient client = RespClient.of(redis)) {
      client.call("PUBLISH", "mad.topic.x", "hello");
    }
    assertThat(directory.resolve("redis"))
        .isDirectoryNotContaining("glob:**/*.rdb")
        .isDirectoryNotContaining("glob:**/appendonlydir");
  }
}
