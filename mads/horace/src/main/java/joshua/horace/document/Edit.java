package joshua.horace.document;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import joshua.horace.change.Refused;
import joshua.horace.change.Request;
import joshua.horace.change.Request.Scope;
import joshua.horace.yaml.YamlReader;
import joshua.kernel.Json;
import joshua.network.SchemaHint;
import org.jspecify.annotations.Nullable;

/** The input of {@code document_edit}: a change of a part of a document. */
public record Edit(
    String path,
    @SchemaHint("Text for the end; begins the document if there is none") @Nullable String append,
    @SchemaHint("A text that occurs once, to be replaced by new_text") @Nullable String oldText,
    @Nullable String newText,
    @SchemaHint(
            value = "Members to set, of JSON or YAML; objects are merged at every depth",
            example = "{\"a\":{\"b\":1}}")
        @Nullable ObjectNode merge,
    @SchemaHint(value = "JSON pointers of members to remove", example = "[\"/a/b\"]")
        @Nullable List<String> remove,
    @SchemaHint("Of your lock, if you hold one") @Nullable Long fence,
    @SchemaHint(value = "Why, for others", max = 500) @Nullable String note,
    @JsonUnwrapped Scope scope)
    implements Request.Input {

  public Edit {
    boolean data = merge != null || remove != null;
    int kinds = (append != null ? 1 : 0) + (oldText != null ? 1 : 0) + (data ? 1 : 0);
    if (kinds != 1 || (oldText == null) != (newText == null)) {
      throw new IllegalArgumentException(
          "an edit must have append, or old_text with new_text, or merge and remove");
    }
    if (oldText != null && oldText.isEmpty()) {
      throw new IllegalArgumentException("old_text must not be empty");
    }
  }

  /**
   * Applies it to a content; null for none.
   *
   * @throws Refused if that isn't possible
   */
  String apply(Format format, @Nullable String content) {
    if (append != null) {
      return content == null ? append : content + append;
    }
    return oldText == null ? merged(format, content) : replaced(content);
  }

  private String replaced(@Nullable String content) {
    String whole = Objects.requireNonNullElse(content, "");
    long times =
        IntStream.range(0, whole.length()).filter(at -> whole.startsWith("" + oldText, at)).count();
    if (times != 1) {
      throw Refused.conflict(
          "old_text must occur once in %s, and it occurs %d times.", path, times);
    }
    return whole.replace("" + oldText, newText);
  }

  private String merged(Format format, @Nullable String content) {
    format.requireData("merge");
    if (content == null && merge == null) {
      throw Refused.notFound("There is no document %s, so nothing can be removed.", path);
    }
    JsonNode data = content == null ? Json.object() : format.parse(path, content);
    if (!(data instanceof ObjectNode object)) {
      throw Refused.conflict("%s isn't an object, so nothing can be merged in.", path);
    }
    if (merge != null) {
      deepMerge(object, merge);
    }
    if (remove != null) {
      remove.forEach(pointer -> removeAt(object, pointer));
    }
    return format.print(object);
  }

  /** Whether comments of a content are lost: merging writes it anew. */
  boolean losesComments(Format format, @Nullable String content) {
    return format == Format.YAML
        && content != null
        && append == null
        && oldText == null
        && YamlReader.hasComments(content);
  }

  /** Sets members; of objects on both sides, those of theirs. */
  public static void deepMerge(ObjectNode into, ObjectNode from) {
    from.properties()
        .forEach(member -> {
          if (into.get(member.getKey()) instanceof ObjectNode inner
              && member.getValue() instanceof ObjectNode more) {
            deepMerge(inner, more);
          } else {
            into.set(member.getKey(), member.getValue());
          }
        });
  }

  /** Removes what is at a JSON pointer, if there is something. */
  private static void removeAt(JsonNode data, String text) {
    JsonPointer pointer;
    try {
      pointer = JsonPointer.compile(text);
    } catch (IllegalArgumentException e) {
      throw Refused.invalid("remove must have JSON pointers such as /a/b/0.");
    }
    JsonPointer last = pointer.last();
    if (last == null) {
      throw Refused.invalid("remove must name members; delete the document to remove all.");
    } else {
      switch (data.at(pointer.head())) {
        case ObjectNode object -> object.remove(last.getMatchingProperty());
        case ArrayNode array when last.mayMatchElement() -> array.remove(last.getMatchingIndex());
        default -> {}
      }
    }
  }
}
