package joshua.kernel;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** The identifiers of the wire contract: participant names and UUIDs (wire contract §1). */
public final class BusIdentifiers {
  /** The rule for an identifier, as the sentence that a refusal ends with. */
  public static final String IDENTIFIER_RULE =
      "must be 1-128 characters of A-Z a-z 0-9 . _ : - and start with a letter or digit";

  public static final String UUID_RULE = "must be a UUID";

  /** {@link #IDENTIFIER_RULE} as a regular expression, for JSON Schemas. */
  public static final String IDENTIFIER_PATTERN = "^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$";

  /** {@link #UUID_RULE} as a regular expression, for JSON Schemas. */
  public static final String UUID_PATTERN =
      "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";

  /** The rule for a UUID argument of a command, as the sentence that a refusal ends with. */
  public static final String UUID_PREFIX_RULE = "must be a UUID or the beginning of one";

  /** {@link #UUID_PREFIX_RULE} as a regular expression, for JSON Schemas. */
  public static final String UUID_PREFIX_PATTERN = "^[0-9a-fA-F][0-9a-fA-F-]{0,35}$";

  private static final Pattern UUID_PREFIX = Pattern.compile(UUID_PREFIX_PATTERN);
  private static final Pattern IDENTIFIER = Pattern.compile(IDENTIFIER_PATTERN);
  private static final Pattern UUID_TEXT = Pattern.compile(UUID_PATTERN);
  private static final SecureRandom RANDOM = new SecureRandom();

  private BusIdentifiers() {}

  public static boolean isIdentifier(String text) {
    return IDENTIFIER.matcher(text).matches() && !text.endsWith("\n");
  }

  /** Reads a UUID in its 36-character form; {@code UUID.fromString} alone accepts "1-1-1-1-1". */
  public static Optional<UUID> parseUuid(String text) {
    return text.length() == 36 && UUID_TEXT.matcher(text).matches()
        ? Optional.of(UUID.fromString(text))
        : Optional.empty();
  }

  /** Reads a UUID or a prefix of one, in the canonical form of ids; empty for other text. */
  public static Optional<String> parseUuidPrefix(String text) {
    return UUID_PREFIX.matcher(text).matches() && !text.endsWith("\n")
        ? Optional.of(text.toLowerCase(Locale.ROOT))
        : Optional.empty();
  }

  /**
   * Creates a version 7 UUID (RFC 9562): 48 bits of milliseconds, then 74 random bits. UUIDs of the
   * same millisecond are unordered; those of {@link MonotonicIds} are ordered.
   */
  public static UUID uuid7(InstantSource time) {
    return version7(time.millis(), RANDOM.nextLong() & 0x0fffL);
  }

  /** Builds one from the milliseconds, the 12 bits after them, and 62 random bits. */
  static UUID version7(long millis, long twelveBits) {
    long least = (RANDOM.nextLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
    return new UUID((millis << 16) | 0x7000L | twelveBits, least);
  }
}
