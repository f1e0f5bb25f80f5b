package joshua.tasks.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import joshua.kernel.Json;

/**
 * Splits and joins streamed text so that each piece is valid UTF-8: half of a surrogate pair waits
 * for its other half, and one without becomes U+FFFD.
 */
public final class UnicodeStream {
  private static final char REPLACEMENT = '\ufffd';

  private String heldBack = "";

  public String next(String piece) {
    String text = heldBack + piece;
    boolean half = !text.isEmpty() && Character.isHighSurrogate(text.charAt(text.length() - 1));
    heldBack = half ? text.substring(text.length() - 1) : "";
    return paired(half ? text.substring(0, text.length() - 1) : text);
  }

  /** The remaining text at the end of the input. */
  public String end() {
    String rest = paired(heldBack);
    heldBack = "";
    return rest;
  }

  public static String paired(String text) {
    if (Json.isUnicode(text)) {
      return text;
    }
    StringBuilder paired = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char at = text.charAt(i);
      if (!Character.isSurrogate(at)) {
        paired.append(at);
      } else if (i + 1 < text.length() && Character.isSurrogatePair(at, text.charAt(i + 1))) {
        paired.append(at).append(text.charAt(++i));
      } else {
        paired.append(REPLACEMENT);
      }
    }
    return paired.toString();
  }

  /** A copy of the tree with all its text {@link #paired}. */
  public static ObjectNode paired(ObjectNode tree) {
    return (ObjectNode) pairedNode(tree);
  }

  private static JsonNode pairedNode(JsonNode node) {
    if (node instanceof ObjectNode object) {
      ObjectNode copy = Json.object();
      object
          .properties()
          .forEach(member -> copy.set(paired(member.getKey()), pairedNode(member.getValue())));
      return copy;
    }
    if (node instanceof ArrayNode array) {
      ArrayNode copy = Json.shared().createArrayNode();
      array.forEach(element -> copy.add(pairedNode(element)));
      return copy;
    }
    return node.isTextual() ? TextNode.valueOf(paired(node.textValue())) : node;
  }

  /**
   * The text in pieces of at most {@code longest} characters, without splitting surrogate pairs.
   */
  public static List<String> pieces(String text, int longest) {
    List<String> pieces = new ArrayList<>();
    int from = 0;
    while (from < text.length()) {
      int to = Math.min(text.length(), from + longest);
      if (to < text.length() && Character.isHighSurrogate(text.charAt(to - 1))) {
        to--;
      }
      pieces.add(text.substring(from, to));
      from = to;
    }
    return pieces;
  }
}
