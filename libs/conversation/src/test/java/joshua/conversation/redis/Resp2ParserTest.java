package joshua.conversation.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** To replay a failure, put the printed seed in place of the new one. */
class Resp2ParserTest {
  private static final int LIMIT = 3_000;

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  @Test
  void messagesAndRepliesComeOutInOrderHoweverTheStreamIsCut() {
    System.out.println("Resp2ParserTest seed " + seed);
    for (int round = 0; round < 300; round++) {
      StringBuilder stream = new StringBuilder();
      List<String> expected = new ArrayList<>();
      for (int frame = 0; frame < 30; frame++) {
        add(stream, expected);
      }
      assertThat(read(stream.toString(), 1 + random.nextInt(5_000)))
          .as("seed %d, round %d", seed, round)
          .isEqualTo(expected);
    }
  }

  @Test
  void oneByteMoreThanTheLimitIsOversizedAndOnlyItsHeadIsKept() {
    assertThat(read(message("mad.x", "b".repeat(LIMIT)), 500))
        .containsExactly("message mad.x " + "b".repeat(LIMIT));
    assertThat(read(message("mad.x", "b".repeat(LIMIT + 1)) + message("mad.y", "after"), 500))
        .containsExactly(
            "oversized mad.x %s %d".formatted("b".repeat(Resp2Parser.HEAD), LIMIT + 1),
            "message mad.y after");
  }

  @Test
  void anOversizedMessageTakesNoRoom() {
    Resp2Parser frames = new Resp2Parser(LIMIT);
    int size = 100_000_000;
    List<String> seen = new ArrayList<>();
    feed(frames, "*4\r\n$8\r\npmessage\r\n$5\r\nmad.*\r\n$5\r\nmad.x\r\n$" + size + "\r\n", seen);
    String part = "x".repeat(50_000);
    int most = 0;
    for (int sent = 0; sent < size; sent += part.length()) {
      feed(frames, part, seen);
      most = Math.max(most, frames.room(0).length);
    }
    feed(frames, "\r\n" + message("mad.y", "after"), seen);
    assertThat(seen).hasSize(2).last().isEqualTo("message mad.y after");
    assertThat(most).isLessThan(300_000);
  }

  @Test
  void whatIsNoResp2IsRefused() {
    assertThatThrownBy(() -> read(">4\r\n$8\r\npmessage\r\n", 100))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> read("$" + "9".repeat(30) + "\r\n", 100))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> read("*1\r\n".repeat(20) + ":1\r\n", 100))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> read("+" + "x".repeat(1_100_000), 10_000))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> read(message("mad." + "x".repeat(1_100_000), "{}"), 10_000))
        .isInstanceOf(IllegalStateException.class);
  }

  private void add(StringBuilder stream, List<String> expected) {
    String text = text();
    switch (random.nextInt(6)) {
      case 0 -> other("+" + text.replaceAll("[\r\n]", "") + "\r\n", stream, expected);
      case 1 -> other("*2\r\n" + bulk("pong") + bulk(text), stream, expected);
      case 2 ->
          other(
              "*3\r\n" + bulk("psubscribe") + bulk("mad.*") + ":" + random.nextInt(9) + "\r\n",
              stream,
              expected);
      case 3 -> other("*3\r\n$-1\r\n*-1\r\n*1\r\n" + bulk(text), stream, expected);
      default -> {
        String channel = "mad." + text.substring(0, Math.min(text.length(), 40));
        stream.append(message(channel, text));
        expected.add(
            text.length() > LIMIT
                ? "oversized %s %s %d"
                    .formatted(channel, text.substring(0, Resp2Parser.HEAD), text.length())
                : "message " + channel + " " + text);
      }
    }
  }

  private static void other(String reply, StringBuilder stream, List<String> expected) {
    stream.append(reply);
    expected.add("other " + reply);
  }

  /** Also text that looks like the protocol around it. */
  private String text() {
    String word =
        List.of("x", "\r\n", "*4\r\n$8\r\npmessage\r\n", "$", "\u00e4", "").get(random.nextInt(6));
    return word.repeat(random.nextInt(random.nextInt(10) == 0 ? 5_000 : 20));
  }

  private static String bulk(String text) {
    return "$" + text.length() + "\r\n" + text + "\r\n";
  }

  private static String message(String channel, String body) {
    return "*4\r\n" + bulk("pmessage") + bulk("mad.*") + bulk(channel) + bulk(body);
  }

  private List<String> read(String stream, int most) {
    Resp2Parser frames = new Resp2Parser(LIMIT);
    List<String> seen = new ArrayList<>();
    int at = 0;
    while (at < stream.length()) {
      int end = Math.min(stream.length(), at + 1 + random.nextInt(most));
      feed(frames, stream.substring(at, end), seen);
      at = end;
    }
    return seen;
  }

  private static void feed(Resp2Parser frames, String part, List<String> seen) {
    byte[] bytes = part.getBytes(ISO_8859_1);
    byte[] room = frames.room(bytes.length);
    System.arraycopy(bytes, 0, room, frames.filled(), bytes.length);
    frames.fill(bytes.length);
    while (true) {
      switch (frames.next()) {
        case MESSAGE -> seen.add("message " + frames.channel().text() + " " + frames.body().text());
        case OVERSIZED ->
            seen.add(
                "oversized %s %s %d"
                    .formatted(frames.channel().text(), frames.body().text(), frames.size()));
        case OTHER -> seen.add("other " + frames.body().text());
        case PART -> {
          return;
        }
      }
    }
  }
}
