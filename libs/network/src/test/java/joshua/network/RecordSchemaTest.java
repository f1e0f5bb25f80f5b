package joshua.network;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import joshua.kernel.Json;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordSchemaTest {
  enum Colour {
    RED,
    DARK_BLUE
  }

  record Inner(@SchemaHint(min = 1, max = 5) int size) {}

  record Input(
      @Name("Who") String clientId,
      @SchemaHint(min = 1, max = 3, example = "[\"a\"]") List<String> topics,
      @Nullable Integer waitMs,
      @Nullable Long many,
      @Nullable Double share,
      @Nullable Boolean quick,
      @Nullable UUID id,
      @Nullable Colour colour,
      @Nullable Inner inner,
      @Nullable List<Inner> inners,
      @SchemaHint(example = "{\"a\":1}") @Nullable ObjectNode payload,
      @SchemaHint(max = 4, pattern = "^[a-z]*$", rule = "must be a-z") @Nullable String word) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Output(
      String status,
      List<RawJson> messages,
      @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable Inner gap,
      @Nullable Instant since) {}

  private static final RecordSchema<Input> SCHEMA = new RecordSchema<>(Input.class, true);
  private static final String HEAD = "{\"client_id\":\"ann\",\"topics\":[\"x\"]";

  private static Schema schema(ObjectNode node) {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(node.toString());
  }

  private static boolean isValid(String json) {
    return schema(SCHEMA.jsonSchema(AddressDefaults.NONE))
        .validate(json, InputFormat.JSON)
        .isEmpty();
  }

  private static Input read(String json) throws Exception {
    return SCHEMA.read((ObjectNode) Json.parse(json), "", AddressDefaults.NONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "}",
        ",\"wait_ms\":null,\"word\":null,\"inner\":null}",
        ",\"wait_ms\":5,\"many\":9000000000,\"share\":0.5,\"quick\":true}",
        ",\"wait_ms\":5.0}",
        ",\"share\":3}",
        ",\"id\":\"01a218d0-8a22-7000-8c17-ec618091b64d\",\"colour\":\"dark_blue\"}",
        ",\"inner\":{\"size\":5},\"inners\":[{\"size\":1},{\"size\":2}],\"payload\":{},\"word\":\"\"}",
      })
  void whatTheSchemaTakesIsRead(String rest) throws Exception {
    assertThat(isValid(HEAD + rest)).isTrue();
    assertThat(read(HEAD + rest).clientId()).isEqualTo("ann");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}", "{\"client_id\":\"ann\",\"topics\":[\"a\",\"b\",\"c\",\"d\"]}",
        "{\"client_id\":\"ann\"}", "{\"client_id\":null,\"topics\":[\"x\"]}",
        "{\"client_id\":\"-\",\"topics\":[\"x\"]}", "{\"client_id\":\"ann\\n\",\"topics\":[\"x\"]}",
        "{\"client_id\":\"ann\",\"topics\":[]}", "{\"client_id\":\"ann\",\"topics\":[1]}",
        ",\"more\":1}", ",\"wait_ms\":1.5}",
        ",\"many\":true}", ",\"quick\":1}",
        ",\"share\":{}}", ",\"id\":\"1-1-1-1-1\"}",
        ",\"colour\":\"RED\"}", ",\"inner\":{\"size\":6}}",
        ",\"inner\":{}}", ",\"inners\":[{\"size\":1,\"more\":1}]}",
        ",\"payload\":[]}", ",\"word\":\"abcde\"}",
        ",\"word\":\"A\"}"
      })
  void whatTheSchemaRefusesIsRefused(String text) {
    String json = text.startsWith(",") ? HEAD + text : text;
    assertThat(isValid(json)).isFalse();
    assertThatThrownBy(() -> read(json)).isInstanceOf(ValueSchema.InvalidInputException.class);
  }

  @Test
  void whatModelsWriteIsTakenWhereOneMeaningIsLeft() throws Exception {
    Input input =
        read(
            "{\"client_id\":\"ann\",\"topics\":\"x\",\"wait_ms\":\"5\",\"quick\":\"true\","
                + "\"share\":\"0.5\",\"inner\":\"{\\\"size\\\":\\\"2\\\"}\",\"payload\":\"{}\"}");
    assertThat(input.topics()).containsExactly("x");
    assertThat(input.waitMs()).isEqualTo(5);
    assertThat(input.quick()).isTrue();
    assertThat(input.share()).isEqualTo(0.5);
    assertThat(input.inner()).isEqualTo(new Inner(2));
    assertThat(input.payload()).isEqualTo(Json.object());
    assertThat(read("{\"client_id\":\"ann\",\"topics\":\"[\\\"a\\\",\\\"b\\\"]\"}").topics())
        .containsExactly("a", "b");
    assertThat(read("{\"client_id\":\"1\",\"topics\":[\"2\"],\"word\":\"ab\"}").clientId())
        .as("a string stays one")
        .isEqualTo("1");
  }

  @Test
  void aRefusalNamesAMemberOfAMember() {
    assertThatThrownBy(() -> read(HEAD + ",\"inners\":[{\"size\":1},{\"size\":9}]}"))
        .hasMessage("inners[1].size must be an integer from 1 to 5, not 9");
  }

  @Test
  void anOutputKeepsToItsSchema() {
    ObjectNode schema = new RecordSchema<>(Output.class, false).jsonSchema(AddressDefaults.NONE);
    assertThat(schema.path("required").toString()).isEqualTo("[\"status\",\"messages\",\"gap\"]");
    RawJson raw = new RawJson("{\"a\" : 1}".getBytes(UTF_8));
    String bare =
        new String(Json.bytes(new Output("success", List.of(raw, raw), null, null)), UTF_8);
    assertThat(bare)
        .isEqualTo("{\"status\":\"success\",\"messages\":[{\"a\" : 1},{\"a\" : 1}],\"gap\":null}");
    String full =
        new String(
            Json.bytes(new Output("success", List.of(), new Inner(1), Instant.EPOCH)), UTF_8);
    assertThat(full).endsWith("\"since\":\"1970-01-01T00:00:00.000Z\"}");
    for (String output : List.of(bare, full)) {
      assertThat(schema(schema).validate(output, InputFormat.JSON)).isEmpty();
    }
  }

  @JsonNaming(LowerCamelCaseStrategy.class)
  record Common(@Nullable String sessionId, @Name("Who") String clientId) {}

  @JsonNaming(LowerCamelCaseStrategy.class)
  record Camel(int thoughtNumber, @JsonUnwrapped Common common, @Nullable String lastWord) {}

  @Test
  void membersAreInCamelCaseAndUnwrappedWhereARecordSaysSo() throws Exception {
    RecordSchema<Camel> schema = new RecordSchema<>(Camel.class, true);
    assertThat(schema.memberNames()).isEqualTo("thoughtNumber, sessionId, client_id, lastWord");
    String json = "{\"thoughtNumber\":\"1\",\"client_id\":\"ann\",\"lastWord\":\"x\"}";
    assertThat(schema.read((ObjectNode) Json.parse(json), "", AddressDefaults.NONE))
        .isEqualTo(new Camel(1, new Common(null, "ann"), "x"));
  }

  @Test
  void aTypeThatHasNoSchemaIsAProgrammingError() {
    record Strange(Thread thread) {}
    assertThatThrownBy(() -> new RecordSchema<>(Strange.class, true))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
