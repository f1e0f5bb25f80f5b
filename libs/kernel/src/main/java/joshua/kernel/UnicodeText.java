package joshua.kernel;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * The Unicode checks of JSON text that the parser doesn't make: it accepts UTF-16, byte order
 * marks, surrogates in UTF-8 and unpaired surrogates, which peers then choke on.
 */
final class UnicodeText {
  private static final char BYTE_ORDER_MARK = '\ufeff';

  /** How many characters are decoded at once, checked, and dropped. */
  private static final int PIECE = 8 * 1024;

  private UnicodeText() {}

  /**
   * What the bytes of a JSON text reveal.
   *
   * @param utf8 well-formed, without a byte order mark, and no other encoding
   * @param surrogateEscapes whether it may contain an escaped surrogate
   */
  record Traits(boolean utf8, boolean surrogateEscapes) {}

  static Traits traits(byte[] json) {
    boolean ascii = true;
    boolean surrogateEscapes = false;
    for (int i = 0; i < json.length; i++) {
      byte at = json[i];
      if (at == 0) {
        // A zero byte never occurs in JSON, whose strings escape it, but always in UTF-16 and
        // UTF-32.
        return new Traits(false, false);
      }
      ascii &= at > 0;
      surrogateEscapes |= at == '\\' && i + 2 < json.length && escapesSurrogate(json, i + 1);
    }
    return new Traits(ascii || wellFormed(json), surrogateEscapes);
  }

  private static boolean escapesSurrogate(byte[] json, int at) {
    return json[at] == 'u' && (json[at + 1] == 'd' || json[at + 1] == 'D');
  }

  private static boolean wellFormed(byte[] json) {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT);
    ByteBuffer bytes = ByteBuffer.wrap(json);
    CharBuffer piece = CharBuffer.allocate(Math.min(json.length, PIECE) + 1);
    boolean first = true;
    while (true) {
      CoderResult result = decoder.decode(bytes, piece, true);
      if (result.isError()) {
        return false;
      }
      if (first && piece.flip().hasRemaining() && piece.get(0) == BYTE_ORDER_MARK) {
        return false;
      }
      if (result.isUnderflow()) {
        return true;
      }
      first = false;
      piece.clear();
    }
  }

  /** Whether all names and strings in a tree are {@link #paired}. */
  static boolean throughout(JsonNode node) {
    if (node.isTextual()) {
      return paired(node.textValue());
    }
    if (node.isObject()) {
      return node.properties().stream()
          .allMatch(member -> paired(member.getKey()) && throughout(member.getValue()));
    }
    for (JsonNode element : node) {
      if (!throughout(element)) {
        return false;
      }
    }
    return true;
  }

  static boolean paired(String text) {
    for (int i = 0; i < text.length(); i++) {
      char at = text.charAt(i);
      if (Character.isSurrogate(at)) {
        boolean pair =
            Character.isHighSurrogate(at)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          return false;
        }
        i++;
      }
    }
    return true;
  }
}
