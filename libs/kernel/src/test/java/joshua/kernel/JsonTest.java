package joshua.kernel;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import joshua.kernel.Json.MalformedJsonException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  private static void assertRefused(String text, String message) {
    assertThatThrownBy(() -> Json.parse(text))
        .isInstanceOf(MalformedJsonException.class)
        .hasMessageContaining(message);
    assertRefused(text.getBytes(UTF_8), message);
  }

  private static void assertRefused(byte[] bytes, String message) {
    assertThatThrownBy(() -> Json.parse(bytes))
        .isInstanceOf(MalformedJsonException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{", "{}{}", "{} x", "{\"a\":1,\"a\":2}", "{a:1}", "{'a':1}",
        "[1,]", "NaN", "01", "{\"a\":\"\u0001\"}", "// x\n{}", "nul"
      })
  void whatIsNotExactlyOneValueIsRefused(String text) {
    assertRefused(text, "is not valid JSON");
  }

  @Test
  void nothingAtAllIsRefused() {
    assertRefused("", "is empty");
    assertRefused(" ", "is empty");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null", "1", "1.10",
        "1E+400", "123456789012345678901234567890", "{\"ä\":\"☃\",\"b\":[]}",
        "\"\""
      })
  void whatWasReadIsWrittenUnchanged(String text) throws Exception {
    assertThat(new String(Json.bytes(Json.parse(text)), UTF_8)).isEqualTo(text);
    assertThat(Json.bytes(Json.parse(text.getBytes(UTF_8)))).isEqualTo(text.getBytes(UTF_8));
  }

  @Test
  void depthHasALimit() throws Exception {
    assertThat(Json.parse("[".repeat(64) + "]".repeat(64)).isArray()).isTrue();
    assertRefused("[".repeat(65) + "]".repeat(65), "is nested more than 64 levels deep");
    assertRefused("{\"a\":".repeat(100_000), "is nested more than 64 levels deep");
  }

  @Test
  void numbersHaveALimit() throws Exception {
    assertThat(Json.parse("1".repeat(100)).isNumber()).isTrue();
    assertRefused("1".repeat(101), "has a number of more than 100 digits");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e999999999", "1e1001", "[1E-9999999999]", "{\"a\":1e21474836480}"})
  void exponentsHaveALimit(String text) {
    assertRefused(text, "has a number whose exponent is beyond ±1000");
  }

  @Test
  void tokensHaveALimit() throws Exception {
    String most = "[" + "0,".repeat(Json.MAX_TOKENS - 3) + "0]";
    assertThat(Json.parse(most)).hasSize(Json.MAX_TOKENS - 2);
    assertThatThrownBy(() -> Json.parse(most.replace("0]", "0,0]")))
        .hasMessage("has more than 200000 values and names")
        .extracting(e -> ((MalformedJsonException) e).code())
        .isEqualTo(ErrorCode.TOO_LARGE);
  }

  @Test
  void otherEncodingsThanUtf8AreRefused() {
    assertRefused("{\"a\":1}".getBytes(UTF_16LE), "is not");
    assertRefused("{\"a\":1}".getBytes(UTF_16BE), "is not");
    assertRefused("\ufeff{}".getBytes(UTF_8), "is not valid JSON");
    assertRefused(new byte[] {'"', (byte) 0xff, '"'}, "is not UTF-8");
    // A surrogate in UTF-8, and a slash in two bytes.
    assertRefused(new byte[] {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'}, "is not UTF-8");
    assertRefused(new byte[] {'"', (byte) 0xc0, (byte) 0xaf, '"'}, "is not UTF-8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"\\ud83d\"", "[\"\\uDE00\\ud83d\"]", "{\"a\":{\"b\":\"\\udc00\"}}"})
  void halfOfASurrogatePairIsRefusedSinceNobodyCouldWriteItAsUtf8(String text) {
    assertRefused(text, "has half of a surrogate pair");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"\\uDFFF\":1}", "[{\"\\ud83dx\":1}]"})
  void soItIsInANameWhichTheParserOfBytesItselfRefuses(String text) {
    assertRefused(text, "");
  }

  @Test
  void aWholeSurrogatePairAndAnEscapedBackslashAreText() throws Exception {
    assertThat(Json.parse("\"\\ud83d\\uDE00\"".getBytes(UTF_8)).textValue()).isEqualTo("😀");
    assertThat(Json.parse("\"\\\\ud83d\"".getBytes(UTF_8)).textValue()).isEqualTo("\\ud83d");
  }

  @Test
  void theMessageSaysWhereAndQuotesNothing() {
    assertThatThrownBy(() -> Json.parse("{\"a\":\n  secret}"))
        .hasMessage("is not valid JSON at line 2, column 3");
  }

  @Test
  void textIsWrittenAsItIs() {
    assertThat(Json.bytes(Json.object().put("a", "ä☃😀\u2028")))
        .asString(UTF_8)
        .isEqualTo("{\"a\":\"ä☃😀\u2028\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud83d", "\ud83dx", "x\ude00", "\ude00\ud83d", "\ud83d\ud83d"})
  void halfOfASurrogatePairIsFoundInWhatWasWritten(String text) {
    assertThat(Json.hasUnpairedSurrogate(Json.bytes(Json.object().put("a", text)))).isTrue();
    assertThat(Json.hasUnpairedSurrogate(Json.bytes(Json.object().put(text, "a")))).isTrue();
  }

  @Test
  void whatOnlyLooksLikeOneIsNot() {
    assertThat(Json.hasUnpairedSurrogate(Json.bytes(Json.object().put("a", "😀 \\ud83d \u0001"))))
        .isFalse();
  }
}
