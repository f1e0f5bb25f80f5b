package joshua.network.conformance;

import static joshua.network.conformance.ConformanceTool.json;
import static joshua.network.conformance.ConformanceTool.text;
import static joshua.network.conformance.ConformanceTool.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import joshua.kernel.Json;
import joshua.network.ClientQuestion;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolResult;

/** The fixtures that ask their client something. */
final class AskingFixtures {
  static final ClientQuestion ROOTS = new ClientQuestion("roots/list", Json.object());

  private static final String DEFAULTS =
      """
      {"type":"object","properties":{
        "name":{"type":"string","default":"John Doe"},
        "age":{"type":"integer","default":30},
        "score":{"type":"number","default":95.5},
        "status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},
        "verified":{"type":"boolean","default":true}},"required":[]}
      """;

  private static final String ENUMS =
      """
      {"type":"object","properties":{
        "untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
        "titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},
          {"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},
        "legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],
          "enumNames":["Option One","Option Two","Option Three"]},
        "untitledMulti":{"type":"array",
          "items":{"type":"string","enum":["option1","option2","option3"]}},
        "titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},
          {"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}},
       "required":[]}
      """;

  private AskingFixtures() {}

  static List<Tool> all() {
    return List.of(
        tool(
            "test_sampling",
            string("prompt"),
            call -> text("LLM response: " + sampled(call, call.input().path("prompt").asText()))),
        tool(
            "test_elicitation",
            string("message"),
            call ->
                text(
                    "User response: "
                        + call.peer()
                            .ask(
                                "user",
                                elicit(
                                    call.input().path("message").asText(),
                                    field("username", "string"))))),
        tool("test_elicitation_sep1034_defaults", call -> elicited(call, DEFAULTS)),
        tool("test_elicitation_sep1330_enums", call -> elicited(call, ENUMS)),
        tool("test_missing_capability", call -> text(sampled(call, "Anybody there?"))),
        tool("test_streaming_elicitation", call -> name(call)),
        tool("test_input_required_result_elicitation", call -> name(call)),
        tool(
            "test_input_required_result_sampling",
            call ->
                text(
                    call.peer()
                        .ask("capital_question", sample("What is the capital of France?"))
                        .path("content")
                        .path("text")
                        .asText())),
        tool(
            "test_input_required_result_list_roots",
            call -> text("Roots: " + call.peer().ask("client_roots", ROOTS).path("roots"))),
        tool("test_input_required_result_request_state", call -> confirmed(call)),
        tool("test_input_required_result_tampered_state", call -> confirmed(call)),
        tool("test_input_required_result_multiple_inputs", call -> several(call)),
        tool("test_input_required_result_multi_round", call -> twice(call)),
        tool("test_input_required_result_capabilities", call -> whatIsDeclared(call)));
  }

  static ClientQuestion elicit(String message, String schema) {
    ObjectNode params = Json.object().put("message", message);
    params.set("requestedSchema", json(schema));
    return new ClientQuestion("elicitation/create", params);
  }

  static String field(String name, String type) {
    return "{\"type\":\"object\",\"properties\":{\"%s\":{\"type\":\"%s\"}},\"required\":[\"%s\"]}"
        .formatted(name, type, name);
  }

  static ClientQuestion sample(String prompt) {
    ObjectNode params = Json.object();
    ObjectNode message = params.putArray("messages").addObject().put("role", "user");
    message.putObject("content").put("type", "text").put("text", prompt);
    return new ClientQuestion("sampling/createMessage", params.put("maxTokens", 100));
  }

  private static String string(String name) {
    return field(name, "string");
  }

  private static String sampled(ToolCall call, String prompt) throws InterruptedException {
    return call.peer().ask("llm", sample(prompt)).path("content").path("text").asText();
  }

  private static ToolResult elicited(ToolCall call, String schema) throws InterruptedException {
    ObjectNode answer = call.peer().ask("form", elicit("Please fill in", schema));
    return text(
        "Elicitation completed: action=%s, content=%s"
            .formatted(answer.path("action").asText(), answer.path("content")));
  }

  private static ToolResult name(ToolCall call) throws InterruptedException {
    ObjectNode answer =
        call.peer().ask("user_name", elicit("What is your name?", field("name", "string")));
    return text("Hello, " + answer.path("content").path("name").asText() + "!");
  }

  private static ToolResult confirmed(ToolCall call) throws InterruptedException {
    call.peer().ask("confirm", elicit("Please confirm", field("ok", "boolean")));
    return text("state-ok");
  }

  private static ToolResult several(ToolCall call) throws InterruptedException {
    Map<String, ClientQuestion> questions = new LinkedHashMap<>();
    questions.put("user_name", elicit("What is your name?", field("name", "string")));
    questions.put("greeting", sample("Generate a greeting"));
    questions.put("client_roots", ROOTS);
    return text("Answers: " + call.peer().ask(questions).keySet());
  }

  private static ToolResult twice(ToolCall call) throws InterruptedException {
    ObjectNode name =
        call.peer().ask("step1", elicit("Step 1: What is your name?", field("name", "string")));
    ObjectNode color =
        call.peer()
            .ask("step2", elicit("Step 2: What is your favorite color?", field("color", "string")));
    return text(
        name.path("content").path("name").asText()
            + " likes "
            + color.path("content").path("color").asText());
  }

  private static ToolResult whatIsDeclared(ToolCall call) throws InterruptedException {
    Map<String, ClientQuestion> questions = new LinkedHashMap<>();
    questions.put("user_name", elicit("What is your name?", field("name", "string")));
    questions.put("greeting", sample("Generate a greeting"));
    questions.put("client_roots", ROOTS);
    questions.values().removeIf(clientQuestion -> !call.peer().answers(clientQuestion.method()));
    return text("Answers: " + call.peer().ask(questions).keySet());
  }
}
