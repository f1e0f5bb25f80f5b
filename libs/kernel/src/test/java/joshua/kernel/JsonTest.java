package joshua.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
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
    assertThatThrownBy(() -> Json.parse(text)).isInstanceOf(Json.MalformedJsonException.class);
    assertThatThrownBy(() -> Json.parse(text.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(Json.MalformedJsonException.class);
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
    String tooDeep = nested(Json.MAX_DEPTH + 1);
    String rule = "is nested more than 64 levels deep; send flatter values";
    assertThatThrownBy(() -> Json.parse(tooDeep))
        .isInstanceOf(Json.MalformedJsonException.class)
        .hasMessage(rule);
    assertThatThrownBy(() -> Json.parse(tooDeep.getBytes(StandardCharsets.UTF_8))).hasMessage(rule);
    assertThatThrownBy(() -> Json.parse("{\"a\":".repeat(100_000))).hasMessage(rule);
  }

  private static String nested(int depth) {
    return "[".repeat(depth) + "]".repeat(depth);
  }

  @Test
  void theLengthOfNumbersHasALimit() throws Exception {
    assertThat(Json.parse("1".repeat(100)).isNumber()).isTrue();
    assertThatThrownBy(() -> Json.parse("1".repeat(101)))
        .isInstanceOf(Json.MalformedJsonException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e99999999999", "[1E-9999999999]", "{\"a\":1e21474836480}"})
  void anExponentOutOfRangeIsRefused(String text) {
    assertThatThrownBy(() -> Json.parse(text))
        .hasMessage("has a number whose exponent is out of range");
    assertThatThrownBy(() -> Json.parse(text.getBytes(StandardCharsets.UTF_8)))
        .hasMessage("has a number whose exponent is out of range");
  }

  @Test
  void bytesThatAreNotUtf8AreRefused() {
    assertThatThrownBy(() -> Json.parse(new byte[] {'"', (byte) 0xff, '"'}))
        .isInstanceOf(Json.MalformedJsonException.class);
  }

  @Test
  void otherEncodingsAndByteOrderMarksAreRefused() {
    for (var charset :
        new java.nio.charset.Charset[] {StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE}) {
      assertThatThrownBy(() -> Json.parse("{\"a\":1}".getBytes(charset)))
          .hasMessage("is not valid JSON in UTF-8");
    }
    assertThatThrownBy(() -> Json.parse("\ufeff{}".getBytes(StandardCharsets.UTF_8)))
        .hasMessage("is not valid JSON in UTF-8");
    // A surrogate in UTF-8, and a slash in two bytes.
    assertThatThrownBy(
            () -> Json.parse(new byte[] {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'}))
        .hasMessage("is not valid JSON in UTF-8");
    assertThatThrownBy(() -> Json.parse(new byte[] {'"', (byte) 0xc0, (byte) 0xaf, '"'}))
        .hasMessage("is not valid JSON in UTF-8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"\\ud83d\"", "[\"\\uDE00\\ud83d\"]"})
  void halfASurrogatePairIsRefusedBecauseNobodyCouldWriteItAsUtf8(String text) {
    assertThatThrownBy(() -> Json.parse(text))
        .hasMessage("has half of a surrogate pair in its text");
    assertThatThrownBy(() -> Json.parse(text.getBytes(StandardCharsets.UTF_8)))
        .hasMessage("has half of a surrogate pair in its text");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"\\uDFFF\":1}", "[{\"\\ud83dx\":1}]"})
  void soItIsInNames(String text) {
    assertThatThrownBy(() -> Json.parse(text)).isInstanceOf(Json.MalformedJsonException.class);
    assertThatThrownBy(() -> Json.parse(text.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(Json.MalformedJsonException.class);
  }

  @Test
  void aWholeSurrogatePairAndAnEscapedBackslashAreText() throws Exception {
    assertThat(Json.parse("\"\\ud83d\\uDE00\"").textValue()).isEqualTo("\ud83d\ude00");
    assertThat(Json.parse("\"\\\\ud83d\"").textValue()).isEqualTo("\\ud83d");
  }

  @Test
  void theMessageSaysWhereAndQuotesNothing() {
    assertThatThrownBy(() -> Json.parse("{\"a\":\n  secret}"))
        .hasMessage("is not valid JSON at line 2, column 3")
        .hasMessageNotContaining("secret");
  }

  @Test
  void theIdOfWhatIsTooLargeToBeParsedIsFoundAllTheSame() {
    Set<String> names = Set.of("id", "method");
    String text = "{\"params\":[{\"id\":1},[]],\"id\":\"seven\",\"method\":\"m\"}";
    assertThat(scalars(text, names).toString()).contains("method=\"m\"", "id=\"seven\"");
    assertThat(scalars("{\"id\":12345678901234567890,\"a\":{", names).get("id").asText())
        .isEqualTo("12345678901234567890");
    assertThat(scalars("{\"id\":{\"b\":1},\"method\":[1]}", names)).isEmpty();
    assertThat(scalars("[1]", names)).isEmpty();
    assertThat(scalars("", names)).isEmpty();
    assertThat(scalars("{\"id\":\"" + "x".repeat(1_025) + "\"}", names)).isEmpty();
  }

  @Test
  void aTextOfMoreTokensThanMayBeIsRefused() throws Exception {
    String most = "[" + "0,".repeat((int) Json.MAX_TOKENS - 3) + "0]";
    assertThat(Json.parse(most)).hasSize((int) Json.MAX_TOKENS - 2);
    assertThatThrownBy(() -> Json.parse(most.replace("0]", "0,0]")))
        .isInstanceOf(Json.MalformedJsonException.class);
  }

  private static Map<String, JsonNode> scalars(String text, Set<String> names) {
    return Json.scalars(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), names);
  }
}
