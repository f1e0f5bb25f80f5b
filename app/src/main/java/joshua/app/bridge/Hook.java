package joshua.app.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import joshua.kernel.Json;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A hook of a client, and what the client takes from it. */
record Hook(Form form, String event) {
  private static final Map<String, Form> FORMS =
      new TreeMap<>(
          Map.of(
              "claude:UserPromptSubmit", Form.CONTEXT,
              "codex:SessionStart", Form.CONTEXT,
              "gemini:AfterAgent", Form.DENY,
              "cursor:stop", Form.FOLLOW_UP));

  /** Where the client puts a text. */
  enum Form {
    /** Beside what begins. */
    CONTEXT,
    /** At the end of a turn, which goes on with it; so does the other. */
    DENY,
    FOLLOW_UP
  }

  /** What it prints for an answer of {@code grace_await} about somebody, if anything. */
  Optional<ObjectNode> output(String name, JsonNode answer) {
    boolean says =
        form == Form.CONTEXT
            ? answer.path("waiting").asInt() > 0
            : answer.path("due").asBoolean(); // or no turn would ever end
    return says ? Optional.of(output(Notice.of(name, answer))) : Optional.empty();
  }

  private ObjectNode output(String text) {
    ObjectNode output = Json.object();
    switch (form) {
      case CONTEXT ->
          output
              .putObject("hookSpecificOutput")
              .put("hookEventName", event)
              .put("additionalContext", text);
      case DENY -> output.put("decision", "deny").put("reason", text);
      case FOLLOW_UP -> output.put("followup_message", text);
    }
    return output;
  }

  /** Reads {@code CLIENT:EVENT}. */
  static final class Reader implements ITypeConverter<Hook> {
    @Override
    public Hook convert(String text) {
      Form form = FORMS.get(text);
      if (form == null) {
        throw new TypeConversionException(
            "'%s' is no hook; there are %s".formatted(text, String.join(", ", FORMS.keySet())));
      }
      return new Hook(form, text.substring(text.indexOf(':') + 1));
    }
  }
}
