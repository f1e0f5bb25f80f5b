package joshua.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreeCostIT {
  private static final int COUNT = 20_000;
  private static final int ATTEMPTS = 12;
  private static final long NOISE = 300_000;
  private static final int MIB = 1024 * 1024;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "[0]",
        "[[]]",
        "[[[[[[[[]]]]]]]]",
        "0",
        "11",
        "-2000000000",
        "3000000000",
        "1234567890123456789012345678901234567890",
        "1.5",
        "0.1234567",
        "-0.01234567890123456789",
        "1e1",
        "true",
        "null",
        "\"\"",
        "\"a\"",
        "\"abcdefghijklmnop\"",
        "\"\\u4e00\\u4e00\"",
        "\"\u4e00\"",
        "{\"a\":0}",
        "{\"a\":{}}",
        "{\"a\":{\"a\":{\"a\":{}}}}",
        "{\"\":{\"\":{}}}",
        "{\"a\":\"\",\"b\":[],\"c\":true}",
        "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"j\":1,\"k\":1,\"l\":1,\"m\":1}",
      })
  void isNeverLessThanWhatTheTreeTakes(String element) throws Exception {
    String text = "[" + String.join(",", Collections.nCopies(COUNT, element)) + "]";
    measure(element, text);
    for (int count = 0; count < 100; count++) {
      byte[] few = ("[" + (element + ",").repeat(count) + element + "]").getBytes(UTF_8);
      if (few.length <= TreeCost.SHORT) {
        assertThat(TreeCost.of(few)).isGreaterThanOrEqualTo(TreeCost.exact(few, 0, few.length));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "{}", "\"x\""})
  void isNeverLessThanWhatOneObjectOfManyMembersTakes(String value) throws Exception {
    String text =
        IntStream.range(0, COUNT)
            .mapToObj(n -> "\"" + Integer.toString(n, 36) + "\":" + value)
            .collect(Collectors.joining(",", "{", "}"));
    measure("members of " + value, text);
  }

  private static void measure(String what, String text) throws Exception {
    byte[] utf8 = text.getBytes(UTF_8);
    // The parser's caches aren't part of the tree.
    JsonNode first = Json.parse(utf8);
    assertThat(Json.bytes(first)).isNotEmpty();
    long taken = Long.MAX_VALUE;
    long cost = TreeCost.of(utf8);
    for (int attempt = 0; attempt < ATTEMPTS && taken > cost; attempt++) {
      long before = used();
      JsonNode tree = Json.parse(utf8);
      // Written once, like an envelope: numbers keep their text from then on.
      assertThat(Json.bytes(tree)).isNotEmpty();
      taken = Math.min(taken, used() - before);
      assertThat(tree).hasSize(first.size());
    }
    System.out.printf(
        "%-30.30s %6.1f B each, estimated %6.1f B, %4.1f times the text%n",
        what, taken / (double) COUNT, cost / (double) COUNT, cost / (double) utf8.length);
    assertThat(cost).as(what).isGreaterThan(taken - NOISE);
    assertThat(cost).isLessThanOrEqualTo((long) TreeCost.MOST_PER_BYTE * utf8.length);
    assertThat(TreeCost.of(text)).isEqualTo(cost);
  }

  private static long used() throws InterruptedException {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 2; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  @Test
  void nothingTakesMoreForAByteThanIsSaid() {
    for (String unit : new String[] {"[", "{\"\":", "[{\"\":", "[[{\"\":["}) {
      String deep = unit.repeat(Json.MAX_DEPTH);
      String closed =
          deep
              + new StringBuilder(deep)
                  .reverse()
                  .toString()
                  .replaceAll("[^\\[{]", "")
                  .replace('[', ']')
                  .replace('{', '}');
      String text = "[" + String.join(",", Collections.nCopies(100, closed)) + "]";
      assertThat(TreeCost.of(text))
          .as(unit)
          .isLessThanOrEqualTo((long) TreeCost.MOST_PER_BYTE * text.length());
    }
  }

  @Test
  void textIsAllThatAStringTakes() {
    String text = "{\"a\":\"" + "x, [{: \\\" ".repeat(100_000) + "\"}";

    assertThat(TreeCost.of(text)).isBetween((long) text.length(), text.length() + 1_000L);
  }

  @Test
  void whatIsHonestlySentIsBearable() {
    // An embedding, or a list of records, of a whole megabyte.
    assertThat(isBearable("[", "0.123,", "0]")).isTrue();
    assertThat(isBearable("[", "-0.0123456789012345678,", "0]")).isTrue();
    assertThat(isBearable("[", "12,", "0]")).isTrue();
    assertThat(isBearable("[", "{\"id\":12345678,\"name\":\"somebody\",\"at\":1.5},", "0]"))
        .isTrue();
    assertThat(isBearable("[\"", "x", "\"]")).isTrue();
    assertThat(isBearable("[\"", "\u4e00", "\"]")).isTrue();
    assertThat(isBearable("[\"", "\\u0001", "\"]")).isTrue();
  }

  @Test
  void whatIsMadeToTakeMemoryIsNotBearable() {
    assertThat(isBearable("[", "{},", "0]")).isFalse();
    assertThat(isBearable("[", "[[[[[]]]]],", "0]")).isFalse();
    assertThat(isBearable("[", "{\"\":0},", "0]")).isFalse();
    assertThat(isBearable("[", "1.5,", "0]")).isFalse();
  }

  private static boolean isBearable(String begin, String unit, String end) {
    int times = (MIB - begin.length() - end.length()) / unit.getBytes(UTF_8).length;
    byte[] utf8 = (begin + unit.repeat(times) + end).getBytes(UTF_8);
    return TreeCost.isBearable(utf8, 0, utf8.length);
  }

  @Test
  void nonsenseIsEstimatedToo() {
    for (String text :
        new String[] {"", "\"", "\"\\", "]]]}}}", "[".repeat(100_000), "{{{{", "1e", "\\"}) {
      assertThat(TreeCost.of(text)).isBetween(0L, 400L * Math.min(text.length() + 1, 100));
    }
  }
}
