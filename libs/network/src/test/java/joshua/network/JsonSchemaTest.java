package joshua.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonSchemaTest {
  private static final ThreadMXBean ALLOCATED = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final String SCHEMA =
      """
      {"type":"object","additionalProperties":false,"required":["channel"],"properties":{
        "channel":{"type":"string","pattern":"^mad\\\\."},
        "wait_ms":{"type":"integer","minimum":0,"maximum":25000},
        "topics":{"type":"array","minItems":1,"maxItems":2,"uniqueItems":true,
                  "items":{"type":"string","minLength":1,"maxLength":3}},
        "status":{"enum":["A","B"]},
        "who":{"type":["string","null"]},
        "payload":{"type":"object","required":["q"]}}}
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}|channel is required",
        "{\"channel\":\"x\"}|channel must match ^mad\\.",
        "{\"channel\":1}|channel must be a string",
        "{\"channel\":\"mad.x\",\"wait_ms\":-1}|wait_ms must be at least 0",
        "{\"channel\":\"mad.x\",\"wait_ms\":25001}|wait_ms must be at most 25000",
        "{\"channel\":\"mad.x\",\"wait_ms\":1.5}|wait_ms must be an integer",
        "{\"channel\":\"mad.x\",\"topics\":[]}|topics must have at least 1 items",
        "{\"channel\":\"mad.x\",\"topics\":[\"a\",\"b\",\"c\"]}|topics must have at most 2 items",
        "{\"channel\":\"mad.x\",\"topics\":[\"a\",\"a\"]}|topics must not hold an item twice",
        "{\"channel\":\"mad.x\",\"topics\":[\"a\",\"\"]}|topics[1] must have at least 1 characters",
        "{\"channel\":\"mad.x\",\"topics\":[\"abcd\"]}|topics[0] must have at most 3 characters",
        "{\"channel\":\"mad.x\",\"status\":\"C\"}|status must be one of [\"A\",\"B\"]",
        "{\"channel\":\"mad.x\",\"who\":1}|who must be a string or null",
        "{\"channel\":\"mad.x\",\"payload\":{}}|payload.q is required",
        "{\"channel\":\"mad.x\",\"chanel\":1}|chanel is not a member of the input",
        "[]|the input must be an object",
      })
  void theSentenceNamesTheMemberAndTheRule(String value, String sentence) throws Exception {
    JsonSchema schema = new JsonSchema((ObjectNode) Json.parse(SCHEMA));
    assertThat(schema.problem(Json.parse(value))).contains(sentence);
  }

  @Test
  void aFittingValueHasNoProblem() throws Exception {
    JsonSchema schema = new JsonSchema((ObjectNode) Json.parse(SCHEMA));
    assertThat(schema.problem(Json.parse("{\"channel\":\"mad.x\",\"topics\":[\"a\"]}"))).isEmpty();
  }

  @Test
  void aMillionFaultsTakeNoMoreMemoryThanOne() throws Exception {
    JsonSchema schema =
        new JsonSchema(
            (ObjectNode)
                Json.parse(
                    "{\"properties\":{\"topics\":{\"items\":{\"type\":\"string\"}}},"
                        + "\"additionalProperties\":false}"));
    ObjectNode items = Json.object();
    ArrayNode topics = items.putArray("topics").add(1);
    ObjectNode members = Json.object().put("member-0", 0);
    assertThat(schema.problem(items)).contains("topics[0] must be a string");
    assertThat(schema.problem(members)).contains("member-0 is not a member of the input");
    for (int i = 1; i < 1_000_000; i++) {
      topics.add(1);
      members.put("member-" + i, i);
    }
    long before = ALLOCATED.getCurrentThreadAllocatedBytes();
    assertThat(schema.problem(items)).contains("topics[0] must be a string");
    assertThat(schema.problem(members)).contains("member-0 is not a member of the input");
    assertThat(ALLOCATED.getCurrentThreadAllocatedBytes() - before).isLessThan(1_000_000);
  }

  @Test
  void aSpecRefusesSchemasThatClientsChokeOn() {
    for (String bad :
        new String[] {
          "{\"type\":\"array\"}",
          "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"http://a.example/s\"}}}",
        }) {
      assertThatThrownBy(() ->
              new ToolSpec(
                  "a",
                  "A",
                  "A.",
                  (ObjectNode) Json.parse(bad),
                  null,
                  new ToolAnnotations(true, false, true, false)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("Tool \"a\" inputSchema");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1e999999999, most",
    "1E+2147483647, most",
    "123456789e2147483638, most",
    "1e400, most",
    "1e19, most",
    "18446744073709551617, most",
    "25000.0000000000000000000001, integer",
    "25001, most",
    "-1e999999999, least",
    "-1e400, least",
    "-1e19, least",
    "-18446744073709551615, least",
    "-1, least",
    "1e-999999999, integer",
    "-1e-999999999, integer",
    "1e-5, integer",
    "0e999999999, fits",
    "-0.0, fits",
    "2.5e4, fits",
    "25000.0, fits",
    "1e3, fits",
    "0, fits"
  })
  void noNumberPassesAThresholdHoweverItIsWritten(String number, String outcome) throws Exception {
    JsonSchema schema = new JsonSchema((ObjectNode) Json.parse(SCHEMA));
    JsonSchema orNull = new JsonSchema((ObjectNode) Json.parse(OR_NULL));
    String value = "{\"channel\":\"mad.x\",\"wait_ms\":" + number + "}";
    String sentence =
        switch (outcome) {
          case "most" -> "wait_ms must be at most 25000";
          case "least" -> "wait_ms must be at least 0";
          case "integer" -> "wait_ms must be an integer";
          default -> null;
        };
    long before = ALLOCATED.getCurrentThreadAllocatedBytes();
    assertThat(schema.problem(Json.parse(value)).orElse(null)).isEqualTo(sentence);
    assertThat(orNull.problem(Json.parse(value)).isPresent()).isEqualTo(sentence != null);
    assertThat(ALLOCATED.getCurrentThreadAllocatedBytes() - before).isLessThan(16L << 20);
  }

  private static final String OR_NULL =
      """
      {"type":"object","properties":{
        "wait_ms":{"anyOf":[{"type":"integer","minimum":0,"maximum":25000},{"type":"null"}]}}}
      """;

  @ParameterizedTest
  @CsvSource({"1e999999999", "-1e999999999", "1e-999999999", "1e2147483647"})
  void noNumberTakesMuchToBeCompared(String number) throws Exception {
    String nines = "9".repeat(100);
    for (String schema :
        new String[] {
          "{\"enum\":[1,2.5]}",
          "{\"const\":1.5}",
          "{\"multipleOf\":3}",
          "{\"exclusiveMinimum\":1,\"exclusiveMaximum\":2}",
          "{\"type\":\"array\",\"uniqueItems\":true}"
        }) {
      String value =
          schema.contains("array") ? "[%s,1,%s,%s]".formatted(number, nines, number) : number;
      JsonSchema compiled = new JsonSchema((ObjectNode) Json.parse(schema));
      var _ = compiled.problem(Json.parse("[1,1]"));
      long before = ALLOCATED.getCurrentThreadAllocatedBytes();
      var _ = compiled.problem(Json.parse(value));
      assertThat(ALLOCATED.getCurrentThreadAllocatedBytes() - before)
          .as(schema)
          .isLessThan(16L << 20);
    }
  }

  @Test
  void numbersOfAHundredDigitsAreComparedWhole() throws Exception {
    String hundred = "1" + "0".repeat(99);
    JsonSchema schema =
        new JsonSchema((ObjectNode) Json.parse("{\"maximum\":%s}".formatted(hundred)));
    assertThat(schema.problem(Json.parse(hundred))).isEmpty();
    assertThat(schema.problem(Json.parse("1e99"))).isEmpty();
    assertThat(schema.problem(Json.parse("1" + "0".repeat(98) + "1"))).isPresent();
    assertThat(schema.problem(Json.parse("1e100"))).isPresent();
  }

  @Test
  void patternsOfIdsAreSaidInWords() throws Exception {
    ObjectNode schema = Json.object();
    ObjectNode properties = schema.putObject("properties");
    properties.putObject("client_id").put("pattern", BusIdentifiers.IDENTIFIER_PATTERN);
    properties.putObject("task_id").put("pattern", BusIdentifiers.UUID_PATTERN);
    JsonSchema rules = new JsonSchema(schema);
    assertThat(rules.problem(Json.parse("{\"client_id\":\"a b\"}")))
        .contains("client_id " + BusIdentifiers.IDENTIFIER_RULE);
    assertThat(rules.problem(Json.parse("{\"task_id\":\"7\"}"))).contains("task_id must be a UUID");
  }
}
