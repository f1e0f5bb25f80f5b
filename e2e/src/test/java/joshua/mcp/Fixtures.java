package joshua.mcp;

import static joshua.network.Tool.Audience.MODEL;
import static joshua.network.ToolHints.READS;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.CallContext;
import joshua.network.CallContext.Question;
import joshua.network.Prompt;
import joshua.network.Tool;
import joshua.network.ToolResult;
import joshua.network.ToolResult.ContentBlocks;
import org.jspecify.annotations.Nullable;

/** The tools and prompts that the conformance suite calls by name. */
final class Fixtures {
  private static final String TEXT = "A fixture of the conformance suite.";

  static final String PNG =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

  private static final String WAV =
      "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";

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

  private static final Question ROOTS = new Question("roots/list", Json.object());

  private Fixtures() {}

  record Input(@Nullable String prompt, @Nullable String message) {}

  @FunctionalInterface
  private interface Work {
    List<ObjectNode> run(Input input, CallContext context) throws InterruptedException;
  }

  // --- Tools that answer --------------------------------------------------------------------

  static List<Tool<?>> tools() {
    return List.of(
        tool("test_simple_text", (_, _) -> says("This is a simple text response for testing.")),
        tool("test_image_content", (_, _) -> List.of(media("image", "image/png", PNG))),
        tool("test_audio_content", (_, _) -> List.of(media("audio", "audio/wav", WAV))),
        tool(
            "test_embedded_resource",
            (_, _) -> List.of(document("test://embedded-resource", "text/plain", "Embedded."))),
        tool(
            "test_multiple_content_types",
            (_, _) ->
                List.of(
                    text("Multiple content types test:"),
                    media("image", "image/png", PNG),
                    document("test://mixed", "application/json", "{\"test\":\"data\"}"))),
        tool("test_tool_with_logging", Fixtures::logging),
        tool("test_logging_tool", Fixtures::logging),
        tool(
            "test_tool_with_progress",
            (_, context) -> {
              for (int done = 0; done <= 100; done += 50) {
                context.progress(done, 100, "");
              }
              return says("Went from 0 to 100.");
            }),
        refused(),
        tool(
            "test_sampling",
            (input, context) ->
                says("LLM response: " + sampled(context, String.valueOf(input.prompt())))),
        tool(
            "test_elicitation",
            (input, context) ->
                says(
                    "User response: "
                        + context.ask(
                            "user",
                            elicit(String.valueOf(input.message()), field("username", "string"))))),
        tool("test_elicitation_sep1034_defaults", (_, context) -> form(context, DEFAULTS)),
        tool("test_elicitation_sep1330_enums", (_, context) -> form(context, ENUMS)),
        tool("test_missing_capability", (_, context) -> says(sampled(context, "Anybody there?"))),
        tool("test_streaming_elicitation", Fixtures::name),
        tool("test_input_required_result_elicitation", Fixtures::name),
        tool(
            "test_input_required_result_sampling",
            (_, context) ->
                says(text(context.ask("capital_question", sample("The capital of France?"))))),
        tool(
            "test_input_required_result_list_roots",
            (_, context) -> says("Roots: " + context.ask("client_roots", ROOTS))),
        tool("test_input_required_result_request_state", Fixtures::confirmed),
        tool("test_input_required_result_tampered_state", Fixtures::confirmed),
        tool(
            "test_input_required_result_multiple_inputs",
            (_, context) -> says("Answers: " + context.ask(several()).keySet())),
        tool(
            "test_input_required_result_multi_round",
            (_, context) -> {
              ObjectNode name = context.ask("step1", elicit("Name?", field("name", "string")));
              ObjectNode color = context.ask("step2", elicit("Color?", field("color", "string")));
              return says(
                  name.at("/content/name").asText()
                      + " likes "
                      + color.at("/content/color").asText());
            }),
        tool(
            "test_input_required_result_capabilities",
            (_, context) -> {
              Map<String, Question> questions = several();
              questions.values().removeIf(question -> !context.answers(question));
              return says("Answers: " + context.ask(questions).keySet());
            }));
  }

  private static List<ObjectNode> logging(Input input, CallContext context) {
    List.of("started", "working", "done").forEach(context::log);
    return says("Logged three messages.");
  }

  private static Tool<Input> tool(String name, Work work) {
    return fixture(
        name,
        (input, call) ->
            call.runBlocking(
                () -> new ToolResult.Success(new ContentBlocks(work.run(input, call.context())))));
  }

  private static Tool<Input> refused() {
    Refusal refusal = Refusal.of(ErrorCode.CONFLICT, "This tool intentionally returns an error.");
    return fixture("test_error_handling", (_, _) -> ToolResult.refused(refusal));
  }

  private static Tool<Input> fixture(String name, Tool.Function<Input> function) {
    return new Tool<>(
        name, name, TEXT, Input.class, ContentBlocks.class, MODEL, Role.VIEWER, READS, function);
  }

  // --- Tools that ask -----------------------------------------------------------------------

  private static String sampled(CallContext context, String prompt) throws InterruptedException {
    return text(context.ask("llm", sample(prompt)));
  }

  private static String text(ObjectNode sampled) {
    return sampled.at("/content/text").asText();
  }

  private static List<ObjectNode> form(CallContext context, String schema)
      throws InterruptedException {
    ObjectNode answer = context.ask("form", elicit("Please fill in", schema));
    return says(
        "Elicitation completed: action=%s, content=%s"
            .formatted(answer.path("action").asText(), answer.path("content")));
  }

  private static List<ObjectNode> name(Input input, CallContext context)
      throws InterruptedException {
    ObjectNode answer =
        context.ask("user_name", elicit("What is your name?", field("name", "string")));
    return says("Hello, " + answer.at("/content/name").asText() + "!");
  }

  private static List<ObjectNode> confirmed(Input input, CallContext context)
      throws InterruptedException {
    context.ask("confirm", elicit("Please confirm", field("ok", "boolean")));
    return says("state-ok");
  }

  private static Map<String, Question> several() {
    Map<String, Question> questions = new LinkedHashMap<>();
    questions.put("user_name", elicit("What is your name?", field("name", "string")));
    questions.put("greeting", sample("Generate a greeting"));
    questions.put("client_roots", ROOTS);
    return questions;
  }

  private static Question elicit(String message, String schema) {
    ObjectNode params = Json.object().put("message", message);
    try {
      return new Question("elicitation/create", params.set("requestedSchema", Json.parse(schema)));
    } catch (MalformedJsonException e) {
      throw new IllegalArgumentException(schema, e);
    }
  }

  private static String field(String name, String type) {
    return "{\"type\":\"object\",\"properties\":{\"%s\":{\"type\":\"%s\"}},\"required\":[\"%s\"]}"
        .formatted(name, type, name);
  }

  private static Question sample(String prompt) {
    ObjectNode params = Json.object().put("maxTokens", 100);
    ObjectNode message = params.putArray("messages").addObject().put("role", "user");
    message.set("content", text(prompt));
    return new Question("sampling/createMessage", params);
  }

  // --- Prompts ------------------------------------------------------------------------------

  static List<Prompt> prompts() {
    return List.of(
        prompt("test_simple_prompt", List.of(), (_, _) -> says("This is a simple prompt.")),
        prompt(
            "test_prompt_with_arguments",
            List.of("arg1", "arg2"),
            (arguments, _) ->
                says(
                    "Prompt with arguments: arg1='%s', arg2='%s'"
                        .formatted(arguments.get("arg1"), arguments.get("arg2")))),
        prompt(
            "test_prompt_with_embedded_resource",
            List.of("resourceUri"),
            (arguments, _) ->
                List.of(
                    document(
                        String.valueOf(arguments.get("resourceUri")), "text/plain", "Embedded."),
                    text("Please process the embedded resource above."))),
        prompt(
            "test_prompt_with_image",
            List.of(),
            (_, _) -> List.of(media("image", "image/png", PNG), text("Please analyze it."))),
        prompt(
            "test_input_required_result_prompt",
            List.of(),
            (_, context) -> {
              Question question =
                  elicit("What context should the prompt use?", field("context", "string"));
              ObjectNode answer = context.ask("user_context", question);
              return says("Context: " + answer.at("/content/context").asText());
            }));
  }

  private static Prompt prompt(String name, List<String> arguments, Prompt.Text content) {
    return new Prompt(
        name,
        name,
        TEXT,
        arguments.stream()
            .map(argument -> new Prompt.Argument(argument, "An argument.", true))
            .toList(),
        content);
  }

  // --- Blocks -------------------------------------------------------------------------------

  private static List<ObjectNode> says(String text) {
    return List.of(text(text));
  }

  private static ObjectNode text(String text) {
    return Json.object().put("type", "text").put("text", text);
  }

  private static ObjectNode media(String type, String mimeType, String base64) {
    return Json.object().put("type", type).put("data", base64).put("mimeType", mimeType);
  }

  private static ObjectNode document(String uri, String mimeType, String text) {
    ObjectNode block = Json.object().put("type", "resource");
    block.putObject("resource").put("uri", uri).put("mimeType", mimeType).put("text", text);
    return block;
  }
}
