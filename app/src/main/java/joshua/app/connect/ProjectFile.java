package joshua.app.connect;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.core.util.Separators.Spacing;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.Pattern;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;

/**
 * A client's configuration file in a project. Only what is strict JSON is changed: rewriting one
 * with comments would lose them.
 */
final class ProjectFile {
  private static final ObjectWriter WRITER =
      Json.mapper()
          .writer(
              new DefaultPrettyPrinter(
                      Separators.createDefaultInstance().withObjectFieldValueSpacing(Spacing.AFTER))
                  .withArrayIndenter(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE));

  /** How what is ours can be told from others', wherever a hook found this program. */
  private static final Pattern OURS = Pattern.compile("joshua'? (wait|inbox) |^\"mcp__grace");

  private final Path path;
  private final ObjectNode content;
  private final ObjectNode before;

  private ProjectFile(Path path, ObjectNode content) {
    this.path = path;
    this.content = content;
    this.before = content.deepCopy();
  }

  /**
   * Reads a file; one that doesn't exist is an empty object.
   *
   * @throws IOException with a sentence for the user where it can't be read, or isn't strict JSON
   */
  static ProjectFile read(Path path) throws IOException {
    if (!Files.exists(path)) {
      return new ProjectFile(path, Json.object());
    }
    try {
      if (Json.parse(Files.readString(path)) instanceof ObjectNode object) {
        return new ProjectFile(path, object);
      }
    } catch (MalformedJsonException | CharacterCodingException e) {
      // it has comments, for instance
    }
    throw new IOException("%s isn't a strict JSON object, and is left alone.".formatted(path));
  }

  /**
   * Puts a server in, in place of one of the same name.
   *
   * @throws IOException with a sentence for the user where the member is no object
   */
  void put(String member, String server, JsonNode entry) throws IOException {
    JsonNode servers = content.path(member);
    if (!servers.isMissingNode() && !servers.isObject()) {
      throw new IOException(
          "%s of %s isn't an object; the file is left alone.".formatted(member, path));
    }
    content.withObjectProperty(member).set(server, entry);
  }

  /**
   * Puts hooks in beside those of others, in place of earlier ones of ours.
   *
   * @throws IOException with a sentence for the user where others' aren't arrays in an object
   */
  void merge(String members) throws IOException {
    for (var member : Json.parseTrusted(members.getBytes(UTF_8)).properties()) {
      if (!member.getValue().isObject()) {
        content.putIfAbsent(member.getKey(), member.getValue());
        continue;
      }
      for (var event : member.getValue().properties()) {
        JsonNode others = content.path(member.getKey()).path(event.getKey());
        if (!others.isMissingNode() && !others.isArray()) {
          throw new IOException(
              "%s.%s of %s isn't an array; the file is left alone."
                  .formatted(member.getKey(), event.getKey(), path));
        }
        ArrayNode all = Json.mapper().createArrayNode();
        for (JsonNode other : others) {
          if (!OURS.matcher(other.toString()).find()) {
            all.add(other);
          }
        }
        put(member.getKey(), event.getKey(), all.addAll((ArrayNode) event.getValue()));
      }
    }
  }

  /** Shows what changes, and writes it; what was there before is kept beside it. */
  void write(PrintWriter shown) throws IOException {
    if (content.equals(before)) {
      shown.println("%s has this already.".formatted(path));
      return;
    }
    shown.println("%s %s:".formatted(Files.exists(path) ? "Changing" : "Writing", path));
    showChanges(shown, "-", before, content);
    showChanges(shown, "+", content, before);
    write(path, text(content) + "\n", shown);
  }

  /** Writes a file of a project; what was there before is kept beside it. */
  static void write(Path path, String text, PrintWriter shown) throws IOException {
    if (Files.exists(path)) {
      keepCopy(path, shown);
    } else if (path.getParent() != null) {
      Files.createDirectories(path.getParent());
    }
    Files.writeString(path, text);
    shown.println("%s is written.".formatted(path));
  }

  /** Copies a file to one beside it, and says so. */
  static void keepCopy(Path path, PrintWriter shown) throws IOException {
    Path copy = path.resolveSibling(path.getFileName() + ".bak");
    Files.copy(path, copy, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
    shown.println("What was in %s is kept in %s.".formatted(path, copy));
  }

  /** JSON as people write it into such files. */
  static String text(JsonNode node) {
    try {
      return WRITER.writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can be written", e);
    }
  }

  /** Shows what one has, and the other doesn't, two levels deep. */
  private static void showChanges(PrintWriter out, String sign, JsonNode one, JsonNode other) {
    for (var member : one.properties()) {
      for (var each : member.getValue().properties()) {
        if (!each.getValue().equals(other.path(member.getKey()).path(each.getKey()))) {
          out.println(
              "  %s %s.%s: %s".formatted(sign, member.getKey(), each.getKey(), each.getValue()));
        }
      }
    }
  }
}
