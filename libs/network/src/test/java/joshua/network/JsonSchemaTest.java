package joshua.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
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
                  new Hints(true, false, true, false)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("Tool \"a\" inputSchema");
    }
  }
}
