package joshua.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.regex.Pattern;
import joshua.kernel.Json;
import joshua.kernel.Role;
import org.jspecify.annotations.Nullable;

/**
 * The description of a tool.
 *
 * @param name 1-64 characters of {@code A-Z a-z 0-9 _ -}
 * @param title for people, a few words
 * @param description for models, at most {@value #MAX_DESCRIPTION} characters: clients cut longer
 *     ones
 * @param inputSchema a JSON Schema 2020-12 of {@code type: object}, without references to other
 *     documents. Keep it flat: some clients drop every tool of a server that has one with {@code
 *     anyOf}, {@code oneOf} or {@code allOf} at the top
 * @param outputSchema the same for the output; null when the output has no fixed shape
 * @param role the least role that may call it
 */
public record ToolSpec(
    String name,
    String title,
    String description,
    ObjectNode inputSchema,
    @Nullable ObjectNode outputSchema,
    ToolAnnotations hints,
    Role role) {

  public static final int MAX_DESCRIPTION = 2048;

  /** The most that one schema may take, encoded. */
  public static final int MAX_SCHEMA_BYTES = 32 * 1024;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  /** A tool that only reads is open to viewers, any other to operators. */
  public ToolSpec(
      String name,
      String title,
      String description,
      ObjectNode inputSchema,
      @Nullable ObjectNode outputSchema,
      ToolAnnotations hints) {
    this(
        name,
        title,
        description,
        inputSchema,
        outputSchema,
        hints,
        hints.readOnly() ? Role.VIEWER : Role.OPERATOR);
  }

  /** The same for callers of another role. */
  public ToolSpec openTo(Role least) {
    return new ToolSpec(name, title, description, inputSchema, outputSchema, hints, least);
  }

  public ToolSpec {
    check(NAME.matcher(name).matches(), name, "has a name that isn't 1-64 of A-Z a-z 0-9 _ -");
    check(!title.isBlank() && !description.isBlank(), name, "lacks a title or a description");
    check(description.length() <= MAX_DESCRIPTION, name, "has too long a description");
    checkSchema(name, "inputSchema", inputSchema);
    if (outputSchema != null) {
      checkSchema(name, "outputSchema", outputSchema);
    }
  }

  private static void checkSchema(String name, String which, ObjectNode schema) {
    check("object".equals(schema.path("type").asText()), name, which + " isn't of type object");
    check(Json.bytes(schema).length <= MAX_SCHEMA_BYTES, name, which + " is too large");
    for (JsonNode reference : schema.findValues("$ref")) {
      check(reference.asText().startsWith("#"), name, which + " refers to another document");
    }
  }

  private static void check(boolean holds, String name, String fault) {
    if (!holds) {
      throw new IllegalArgumentException("Tool \"%s\" %s.".formatted(name, fault));
    }
  }
}
