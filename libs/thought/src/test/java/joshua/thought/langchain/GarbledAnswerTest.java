package joshua.thought.langchain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import joshua.testing.ModelDialect;
import joshua.testing.ScriptedModelServer;
import joshua.thought.ModelFailedException.Kind;
import joshua.thought.ThoughtFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that answers incompletely: a failure, and the next prompt works. */
class GarbledAnswerTest extends AdapterFixture {
  @ParameterizedTest
  @EnumSource
  void cutInMidToken(ModelDialect dialect) throws Exception {
    ThoughtFailedException failed =
        fails(
            dialect,
            patient(),
            exchange -> {
              exchange.open(dialect.contentType);
              String token = dialect.token("lo");
              exchange.chunk(dialect.begin() + dialect.token("Hel"));
              exchange.chunk(token.substring(0, token.length() / 2));
            });
    assertThat(kind(failed)).isEqualTo(Kind.BROKEN_OFF);
    assertThat(failed).hasMessageContaining("in the middle of its answer");
  }

  @ParameterizedTest
  @EnumSource
  void endedCleanlyButTooSoon(ModelDialect dialect) throws Exception {
    ThoughtFailedException failed =
        fails(
            dialect,
            patient(),
            exchange -> {
              exchange.open(dialect.contentType);
              exchange.chunk(dialect.begin() + dialect.token("Hel"));
              exchange.end();
            });
    assertThat(kind(failed)).isEqualTo(Kind.BROKEN_OFF);
  }

  @ParameterizedTest
  @EnumSource
  void garbageInEvents(ModelDialect dialect) throws Exception {
    ThoughtFailedException failed =
        fails(
            dialect,
            patient(),
            exchange -> {
              exchange.open(dialect.contentType);
              exchange.chunk("event: message_start\ndata: {\"type\": oh no\n\ndata: [[[\n\n");
              exchange.end();
            });
    assertThat(kind(failed)).isEqualTo(Kind.GARBLED);
  }

  @ParameterizedTest
  @EnumSource
  void anAnswerWithAnUnreadablePieceIsNoAnswer(ModelDialect dialect) throws Exception {
    String piece =
        dialect == ModelDialect.OLLAMA
            ? "{oh no\n"
            : "event: content_block_delta\ndata: {oh no\n\n";
    ThoughtFailedException failed =
        fails(
            dialect,
            patient(),
            exchange -> {
              exchange.open(dialect.contentType);
              exchange.chunk(dialect.begin() + dialect.token("Hel") + piece);
              exchange.chunk(dialect.token("lo") + dialect.end(dialect.reason("stop")));
              exchange.end();
            });
    assertThat(kind(failed)).isEqualTo(Kind.GARBLED);
  }

  @ParameterizedTest
  @EnumSource
  void aPageInsteadOfAnAnswer(ModelDialect dialect) throws Exception {
    ThoughtFailedException failed =
        status(
            dialect,
            "200 OK",
            "Content-Type: text/html\r\n",
            "<html><body>Welcome to my proxy</body></html>");
    assertThat(kind(failed)).isEqualTo(Kind.GARBLED);
    assertThat(failed).hasMessageContaining("JOSHUA_MODEL_PROVIDER");
  }

  @ParameterizedTest
  @EnumSource
  void noHttpAtAll(ModelDialect dialect) throws Exception {
    fails(dialect, patient(), exchange -> exchange.raw("SSH-2.0-OpenSSH_9.2p1\r\n\r\n"));
  }

  @ParameterizedTest
  @EnumSource
  void redirectsAreNotFollowed(ModelDialect dialect) throws Exception {
    ScriptedModelServer elsewhere = server();
    ThoughtFailedException failed =
        status(dialect, "307 Temporary Redirect", "Location: " + elsewhere.url("/") + "\r\n", "");
    assertThat(failed).hasMessageContaining("HTTP 307");
    assertThat(elsewhere.seen()).isEmpty();
  }

  @Test
  void answersThatNeverBeginLeaveNoConnectionOpen() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    ThoughtFailedException failed =
        fails(
            ModelDialect.OPENAI,
            patient(),
            exchange -> {
              try {
                while (true) {
                  exchange.raw("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n".repeat(100));
                }
              } catch (IOException e) {
                closed.countDown();
              }
            });
    assertThat(kind(failed)).isEqualTo(Kind.UNREACHABLE);
    assertThat(closed.await(30, TimeUnit.SECONDS)).as("the connection is closed").isTrue();
  }
}
