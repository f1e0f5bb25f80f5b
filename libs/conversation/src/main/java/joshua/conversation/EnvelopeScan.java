package joshua.conversation;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An allocation-free check of envelopes, for a consumer that sees every message on the bus. It
 * accepts only what {@link EnvelopeCodec#decode} accepts, too; where it rejects, the codec decides.
 * For one thread.
 */
public final class EnvelopeScan {
  private static final int UUID_LENGTH = 36;
  private static final int MOST_OF_AN_IDENTIFIER = 128;
  private static final int MOST_OF_A_CHANNEL = 160;
  private static final byte[] MAD = ascii("mad.");
  private static final byte[] MESSAGE_ID = ascii("message_id");
  private static final byte[] CONVERSATION_ID = ascii("conversation_id");
  private static final byte[] CORRELATION_ID = ascii("correlation_id");
  private static final byte[] TIMESTAMP = ascii("timestamp");
  private static final byte[] SENDER_ID = ascii("sender_id");
  private static final byte[] RECIPIENT_ID = ascii("recipient_id");
  private static final byte[] CHANNEL = ascii("channel");
  private static final byte[] PAYLOAD = ascii("payload");
  private static final int ALL_MEMBERS = 0xff;
  private static final boolean[] OF_NAMES = ofNames();

  private final JsonScan scan = new JsonScan();
  private final TimestampScan timestamp = new TimestampScan();
  private final ByteRange sender = new ByteRange();
  private ByteRange channel = new ByteRange();
  private int members;
  private int unknown;
  private long high;
  private long low;
  private long correlationHigh;
  private long correlationLow;
  private long conversationHigh;
  private long conversationLow;

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static boolean[] ofNames() {
    boolean[] allowed = new boolean[256];
    for (int c = 0; c < 128; c++) {
      allowed[c] = Character.isLetterOrDigit(c) || c == '.' || c == '_' || c == ':' || c == '-';
    }
    return allowed;
  }

  /**
   * Whether {@code body}, published on {@code channelName}, is plainly a valid envelope. The other
   * methods return values of the last message for which it was.
   */
  public boolean isPlain(ByteRange channelName, ByteRange body) {
    channel = channelName;
    members = 0;
    scan.begin(body);
    return isChannel(channelName) && envelope();
  }

  private static boolean isChannel(ByteRange name) {
    int most = MAD.length + MOST_OF_A_CHANNEL;
    if (name.length() <= MAD.length || name.length() > most) {
      return false;
    }
    byte[] bytes = name.array();
    int rest = name.start() + MAD.length;
    return Arrays.equals(bytes, name.start(), rest, MAD, 0, MAD.length)
        && isOfNames(bytes, rest, name.end());
  }

  private static boolean isOfNames(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!OF_NAMES[bytes[i] & 0xff]) {
        return false;
      }
    }
    return true;
  }

  private boolean envelope() {
    if (!scan.take('{')) {
      return false;
    }
    unknown = 0;
    while (true) {
      int start = scan.at() + 1;
      if (!scan.name()) {
        return false;
      }
      int stop = scan.at() - 1;
      if (!scan.take(':') || !member(start, stop)) {
        return false;
      }
      if (scan.take('}')) {
        return members == ALL_MEMBERS && scan.isAtEnd();
      }
      if (!scan.take(',')) {
        return false;
      }
    }
  }

  private boolean member(int start, int stop) {
    return switch (stop - start) {
      case 7 ->
          isName(start, CHANNEL)
              ? channel() && found(1)
              : isName(start, PAYLOAD) ? scan.object(1) && found(2) : unknown(start, stop);
      case 9 ->
          isName(start, SENDER_ID)
              ? identifier(sender) && found(4)
              : isName(start, TIMESTAMP)
                  ? timestamp.isNext(scan) && found(8)
                  : unknown(start, stop);
      case 10 -> isName(start, MESSAGE_ID) ? uuid() && found(16) : unknown(start, stop);
      case 12 ->
          isName(start, RECIPIENT_ID)
              ? (scan.isNull() || identifier(null)) && found(32)
              : unknown(start, stop);
      case 14 -> isName(start, CORRELATION_ID) ? correlation() && found(64) : unknown(start, stop);
      case 15 ->
          isName(start, CONVERSATION_ID) ? conversation() && found(128) : unknown(start, stop);
      default -> unknown(start, stop);
    };
  }

  private boolean unknown(int start, int stop) {
    return unknown < JsonScan.MEMBER_LIMIT
        && scan.isNew(0, unknown++, start, stop)
        && scan.value(1);
  }

  private boolean found(int member) {
    boolean first = (members & member) == 0;
    members |= member;
    return first;
  }

  private boolean isName(int start, byte[] name) {
    return Arrays.equals(scan.json(), start, start + name.length, name, 0, name.length);
  }

  private boolean channel() {
    int start = scan.at() + 1;
    int stop = start + channel.length();
    if (!isQuoted(start, channel.length())
        || !Arrays.equals(
            scan.json(), start, stop, channel.array(), channel.start(), channel.end())) {
      return false;
    }
    scan.skipTo(stop + 1);
    return true;
  }

  private boolean isQuoted(int start, int length) {
    return scan.isNext('"') && scan.left() > length + 1 && scan.json()[start + length] == '"';
  }

  private boolean identifier(@Nullable ByteRange into) {
    int start = scan.at() + 1;
    if (!scan.string()) {
      return false;
    }
    int length = scan.at() - 1 - start;
    byte[] json = scan.json();
    if (length < 1
        || length > MOST_OF_AN_IDENTIFIER
        || !isLetterOrDigit(json[start])
        || !isOfNames(json, start, start + length)) {
      return false;
    }
    if (into != null) {
      into.set(json, start, length);
    }
    return true;
  }

  private static boolean isLetterOrDigit(byte b) {
    return OF_NAMES[b & 0xff] && b != '.' && b != '_' && b != ':' && b != '-';
  }

  private boolean correlation() {
    if (!uuid()) {
      return false;
    }
    correlationHigh = high;
    correlationLow = low;
    return true;
  }

  private boolean conversation() {
    if (!uuid()) {
      return false;
    }
    conversationHigh = high;
    conversationLow = low;
    return true;
  }

  private boolean uuid() {
    int start = scan.at() + 1;
    if (!isQuoted(start, UUID_LENGTH)) {
      return false;
    }
    byte[] json = scan.json();
    if (json[start + 8] != '-'
        || json[start + 13] != '-'
        || json[start + 18] != '-'
        || json[start + 23] != '-') {
      return false;
    }
    long a = hex(json, start, 8);
    long b = hex(json, start + 9, 4);
    long c = hex(json, start + 14, 4);
    long d = hex(json, start + 19, 4);
    long e = hex(json, start + 24, 12);
    if ((a | b | c | d | e) < 0) {
      return false;
    }
    high = a << 32 | b << 16 | c;
    low = d << 48 | e;
    scan.skipTo(start + UUID_LENGTH + 1);
    return true;
  }

  /** Negative if it contains a character that isn't a digit. */
  private static long hex(byte[] json, int start, int length) {
    long value = 0;
    int wrong = 0;
    for (int i = start; i < start + length; i++) {
      int digit = HexDigit.of(json[i]);
      wrong |= digit;
      value = value << 4 | (digit & 0xf);
    }
    return wrong < 0 ? -1 : value;
  }

  /** The sender's id; valid as long as the body's array is. */
  public ByteRange sender() {
    return sender;
  }

  public long correlationHigh() {
    return correlationHigh;
  }

  public long correlationLow() {
    return correlationLow;
  }

  public long conversationHigh() {
    return conversationHigh;
  }

  public long conversationLow() {
    return conversationLow;
  }
}
