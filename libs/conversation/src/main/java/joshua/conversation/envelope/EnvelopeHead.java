package joshua.conversation.envelope;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import joshua.kernel.Identifiers;
import joshua.kernel.Json;
import org.jspecify.annotations.Nullable;

/**
 * Who sent a message, for those who hear everything and read little. Where the members are in the
 * contract's order without spaces, as {@link EnvelopeCodec} writes them, they are at known places;
 * that is five times as fast as looking for them.
 */
public final class EnvelopeHead {
  private static final int UUID_LENGTH = 36;
  private static final int TIMESTAMP_LENGTH = 24;
  private static final int LONGEST_NAME = 128;
  private static final byte[] MESSAGE = bytes("{\"message_id\":\"");
  private static final byte[] CONVERSATION = bytes("\",\"conversation_id\":\"");
  private static final byte[] CORRELATION = bytes("\",\"correlation_id\":\"");
  private static final byte[] TIMESTAMP = bytes("\",\"timestamp\":\"");
  private static final byte[] SENDER = bytes("\",\"sender_id\":\"");
  private static final int CONVERSATION_AT = MESSAGE.length + UUID_LENGTH;
  private static final int CORRELATION_AT = CONVERSATION_AT + CONVERSATION.length + UUID_LENGTH;
  private static final int TIMESTAMP_AT = CORRELATION_AT + CORRELATION.length + UUID_LENGTH;
  private static final int SENDER_AT = TIMESTAMP_AT + TIMESTAMP.length + TIMESTAMP_LENGTH;
  private static final int NAME_AT = SENDER_AT + SENDER.length;

  private EnvelopeHead() {}

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The sender; null where the beginning of the message names none. */
  public static @Nullable String senderOf(byte[] body) {
    String name = inOrder(body) ? nameAt(body) : null;
    return name == null ? found(body) : name;
  }

  private static boolean inOrder(byte[] body) {
    return body.length > NAME_AT
        && isAt(body, 0, MESSAGE)
        && isAt(body, CONVERSATION_AT, CONVERSATION)
        && isAt(body, CORRELATION_AT, CORRELATION)
        && isAt(body, TIMESTAMP_AT, TIMESTAMP)
        && isAt(body, SENDER_AT, SENDER);
  }

  private static boolean isAt(byte[] body, int from, byte[] text) {
    return Arrays.equals(body, from, from + text.length, text, 0, text.length);
  }

  private static @Nullable String nameAt(byte[] body) {
    int most = Math.min(body.length, NAME_AT + LONGEST_NAME + 1);
    for (int end = NAME_AT; end < most; end++) {
      if (body[end] == '"') {
        return name(new String(body, NAME_AT, end - NAME_AT, StandardCharsets.ISO_8859_1));
      }
    }
    return null;
  }

  private static @Nullable String name(String text) {
    return Identifiers.isName(text) ? text : null;
  }

  private static @Nullable String found(byte[] body) {
    try (JsonParser parser = Json.mapper().createParser(body)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return null;
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean sender = parser.currentName().equals("sender_id");
        JsonToken value = parser.nextToken();
        if (sender) {
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
