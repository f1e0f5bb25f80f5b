package joshua.conversation;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A subscription: a channel's name or a Redis glob ({@code *}, {@code ?}, {@code [a-z]}, {@code \}
 * to quote), beginning with {@code mad.}. {@code mad.#} means {@code mad.*} (wire contract §2).
 */
public record ChannelPattern(String text) {
  public static final String RULE =
      "must be a channel or a Redis glob that begins with mad. and has at most 256 characters of"
          + " A-Z a-z 0-9 . _ : - * ? [ ] ^ \\, at most 4 of them *, at most 40 from the first * on,"
          + " and at most 16 in a class";

  /**
   * Redis tries what follows the first star at each character of each channel that is published to.
   */
  static final int STARS = 4;

  static final int BEHIND_A_STAR = 40;
  static final int IN_A_CLASS = 16;

  private static final Pattern TEXT =
      Pattern.compile("mad\\.[A-Za-z0-9._:\\-*?\\[\\]^\\\\]{1,252}");

  private static final Pattern LONG_CLASS = Pattern.compile("\\[[^\\]]{" + (IN_A_CLASS + 1) + "}");

  /** Everything on the bus. */
  public static final ChannelPattern ALL = new ChannelPattern("mad.*");

  public ChannelPattern {
    text = text.endsWith(".#") ? text.substring(0, text.length() - 1) + "*" : text;
    if (!TEXT.matcher(text).matches()
        || isDear(text)
        || !(isGlob(text) || Channel.parse(text).isPresent())) {
      throw new IllegalArgumentException("a subscription " + RULE);
    }
  }

  public static Optional<ChannelPattern> parse(String text) {
    try {
      return Optional.of(new ChannelPattern(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  public static ChannelPattern exactly(Channel channel) {
    return new ChannelPattern(channel.name());
  }

  /** Whether this needs Redis' PSUBSCRIBE; otherwise it names one channel. */
  public boolean isGlob() {
    return isGlob(text);
  }

  private static boolean isGlob(String text) {
    return text.chars().anyMatch(c -> c == '*' || c == '?' || c == '[' || c == '\\');
  }

  /** Whether Redis, and a relay, would take long to match it against a channel. */
  private static boolean isDear(String text) {
    int first = text.indexOf('*');
    return text.chars().filter(c -> c == '*').count() > STARS
        || (first >= 0 && text.length() - first > BEHIND_A_STAR)
        || LONG_CLASS.matcher(text).find();
  }

  /** Whether Redis would deliver a message on {@code channel} to this subscription. */
  public boolean matches(String channel) {
    return isGlob() ? RedisGlob.matches(text, channel) : text.equals(channel);
  }

  /** The literal prefix of every channel that this matches; for a plain name, the whole name. */
  public String literalBeginning() {
    return RedisGlob.literalBeginning(text);
  }

  /**
   * Whether this subscription, which matches {@code channel}, covers it: a glob covers housekeeping
   * only if its literal prefix names it (wire contract §2).
   */
  public boolean asksFor(String channel) {
    return Channel.housekeepingBeginning(channel)
        .filter(beginning -> isGlob() && !literalBeginning().startsWith(beginning))
        .isEmpty();
  }

  @Override
  public String toString() {
    return text;
  }
}
