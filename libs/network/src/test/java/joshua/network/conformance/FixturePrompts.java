package joshua.network.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import joshua.kernel.Json;
import joshua.network.CallContext;
import joshua.network.Caller;
import joshua.network.mcp.McpPrompt;

/** The prompts that the suite gets. */
final class FixturePrompts {
  private FixturePrompts() {}

  /** The text of a prompt, given its arguments. */
  @FunctionalInterface
  private interface Text {
    List<ObjectNode> of(Map<String, String> arguments, CallContext callContext)
        throws InterruptedException;
  }

  private record Simple(Spec spec, Text text) implements McpPrompt {
    @Override
    public List<ObjectNode> messages(
        Map<String, String> arguments, Caller caller, CallContext callContext)
        throws InterruptedException {
      return text.of(arguments, callContext);
    }

    @Override
    public List<String> complete(String argument, String typed, Caller caller) {
      return List.of(typed + "is", typed + "k", typed + "ty");
    }
  }

  static List<McpPrompt> all() {
    return List.of(
        prompt(
            "test_simple_prompt",
            List.of(),
            (arguments, callContext) -> List.of(says("This is a simple prompt for testing."))),
        prompt(
            "test_prompt_with_arguments",
            List.of("arg1", "arg2"),
            (arguments, callContext) ->
                List.of(
                    says(
                        "Prompt with arguments: arg1='%s', arg2='%s'"
                            .formatted(arguments.get("arg1"), arguments.get("arg2"))))),
        prompt(
            "test_prompt_with_embedded_resource",
            List.of("resourceUri"),
            (arguments, callContext) ->
                List.of(
                    message(
                        ConformanceTool.resource(
                            arguments.get("resourceUri"),
                            "text/plain",
                            "Embedded resource content for testing.")),
                    says("Please process the embedded resource above."))),
        prompt(
            "test_prompt_with_image",
            List.of(),
            (arguments, callContext) ->
                List.of(
                    message(ConformanceTool.media("image", "image/png", ConformanceTool.PNG)),
                    says("Please analyze the image above."))),
        prompt(
            "test_input_required_result_prompt",
            List.of(),
            (arguments, callContext) -> {
              ObjectNode answer =
                  callContext.ask(
                      "user_context",
                      AskingFixtures.elicit(
                          "What context should the prompt use?",
                          AskingFixtures.field("context", "string")));
              return List.of(says("Context: " + answer.path("content").path("context").asText()));
            }));
  }

  private static McpPrompt prompt(String name, List<String> arguments, Text text) {
    return new Simple(
        new McpPrompt.Spec(
            name,
            name,
            "A fixture of the conformance suite.",
            arguments.stream()
                .map(argument -> new McpPrompt.Argument(argument, "An argument.", true))
                .toList()),
        text);
  }

  private static ObjectNode says(String text) {
    return message(ConformanceTool.textBlock(text));
  }

  private static ObjectNode message(ObjectNode content) {
    ObjectNode message = Json.object().put("role", "user");
    message.set("content", content);
    return message;
  }
}
