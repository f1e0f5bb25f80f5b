package joshua.conversation.envelope;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import joshua.kernel.Identifiers;
import joshua.kernel.Json;
import org.jspecify.annotations.Nullable;

/**
 * The sender and the id of an undecoded message. Where the members are in the contract's order
 * without spaces, as {@link EnvelopeCodec} writes them, they are at known offsets, which is five
 * times as fast as searching for them.
 */
public final class EnvelopeHead {
  private static final int MAX_NAME_LENGTH = 128;

  /** The text before the name, with a space for each character of the values. */
  private static final byte[] IN_ORDER =
      """
      {"message_id":"%36s","conversation_id":"%36s","correlation_id":"%36s",\
      "timestamp":"%24s","sender_id":"\
      """
          .formatted("", "", "", "")
          .getBytes(StandardCharsets.US_ASCII);

  private EnvelopeHead() {}

  /** The sender; null where none is found. */
  public static @Nullable String senderOf(byte[] body) {
    String name = inOrder(body);
    return name == null ? found(body, "sender_id") : name;
  }

  /** The id of a message that is an envelope. */
  public static @Nullable String idOf(byte[] body) {
    return found(body, "message_id");
  }

  private static @Nullable String inOrder(byte[] body) {
    int at = IN_ORDER.length;
    for (int i = 0; i < at; i++) {
      if (i >= body.length || (IN_ORDER[i] != ' ' && IN_ORDER[i] != body[i])) {
        return null;
      }
    }
    int most = Math.min(body.length, at + MAX_NAME_LENGTH + 1);
    for (int end = at; end < most; end++) {
      if (body[end] == '"') {
        return name(new String(body, at, end - at, StandardCharsets.ISO_8859_1));
      }
    }
    return null;
  }

  private static @Nullable String name(String text) {
    return Identifiers.isName(text) ? text : null;
  }

  private static @Nullable String found(byte[] body, String member) {
    try (JsonParser parser = Json.mapper().createParser(body)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return null;
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean sought = parser.currentName().equals(member);
        JsonToken value = parser.nextToken();
        if (sought) {
          return value == JsonToken.VALUE_STRING ? name(parser.getText()) : null;
        }
        parser.skipChildren();
      }
      return null;
    } catch (IOException e) {
      return null;
    }
  }
}
