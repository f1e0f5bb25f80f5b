package joshua.kernel;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The two forms of identifier on the bus: names of participants and topics, and UUIDs. */
public final class Identifiers {
  /** The rule for a name, as the end of a sentence. */
  public static final String NAME_RULE =
      "must be 1-128 characters of A-Z a-z 0-9 . _ : - and start with a letter or digit";

  /** {@link #NAME_RULE} as a regular expression, for JSON Schemas. */
  public static final String NAME_PATTERN = "^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$";

  /** The rule for a UUID, as the end of a sentence. */
  public static final String UUID_RULE = "must be a UUID of 36 characters";

  /** {@link #UUID_RULE} as a regular expression, for JSON Schemas. */
  public static final String UUID_PATTERN =
      "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";

  private static final int MAX_NAME_LENGTH = 128;

  private Identifiers() {}

  /** Whether a text satisfies {@link #NAME_RULE}. */
  public static boolean isName(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_NAME_LENGTH
        && isAlphanumeric(text.charAt(0))
        && areNameCharacters(text, 1);
  }

  /** Whether all characters from an index on are allowed inside a name. */
  public static boolean areNameCharacters(String text, int from) {
    for (int i = from; i < text.length(); i++) {
      char at = text.charAt(i);
      if (!isAlphanumeric(at) && at != '.' && at != '_' && at != ':' && at != '-') {
        return false;
      }
    }
    return true;
  }

  private static boolean isAlphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
  }

  /** Reads a UUID of 36 characters; null for anything else ({@link UUID} takes "1-1-1-1-1"). */
  public static @Nullable UUID parseUuid(String text) {
    try {
      UUID id = UUID.fromString(text);
      return id.toString().equalsIgnoreCase(text) ? id : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
