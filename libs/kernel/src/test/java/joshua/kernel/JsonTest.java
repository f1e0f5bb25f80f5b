package joshua.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{}{}",
        "{} x",
        "{\"a\":1,\"a\":2}",
        "{a:1}",
        "{'a':1}",
        "[1,]",
        "NaN",
        "01",
        "{\"a\":\"\u0001\"}",
        "// x\n{}",
        "nul"
      })
  void refusesWhatIsNotExactlyOneValue(String text) {
    assertThatThrownBy(() -> Json.parse(text)).isInstanceOf(Json.Malformed.class);
    assertThatThrownBy(() -> Json.parse(text.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(Json.Malformed.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "1",
        "1.10",
        "1E+400",
        "123456789012345678901234567890",
        "{\"ä\":\"☃\",\"b\":[]}",
        "\"\""
      })
  void writesWhatItRead(String text) throws Exception {
    assertThat(Json.write(Json.parse(text))).isEqualTo(text);
    assertThat(Json.bytes(Json.parse(text))).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void depthHasALimit() throws Exception {
    assertThat(Json.parse(nested(Json.MAX_DEPTH)).isArray()).isTrue();
    assertThatThrownBy(() -> Json.parse(nested(Json.MAX_DEPTH + 1)))
        .isInstanceOf(Json.Malformed.class);
  }

  private static String nested(int depth) {
    return "[".repeat(depth) + "]".repeat(depth);
  }

  @Test
  void theLengthOfNumbersHasALimit() throws Exception {
    assertThat(Json.parse("1".repeat(100)).isNumber()).isTrue();
    assertThatThrownBy(() -> Json.parse("1".repeat(101))).isInstanceOf(Json.Malformed.class);
  }

  @Test
  void bytesThatAreNotUtf8AreRefused() {
    assertThatThrownBy(() -> Json.parse(new byte[] {'"', (byte) 0xff, '"'}))
        .isInstanceOf(Json.Malformed.class);
  }

  @Test
  void theMessageSaysWhereAndQuotesNothing() {
    assertThatThrownBy(() -> Json.parse("{\"a\":\n  secret}"))
        .hasMessage("is not valid JSON at line 2, column 3")
        .hasMessageNotContaining("secret");
  }
}
