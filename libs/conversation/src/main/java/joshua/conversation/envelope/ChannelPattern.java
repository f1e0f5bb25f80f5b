package joshua.conversation.envelope;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The pattern of a subscription: a channel's name or a Redis glob ({@code *}, {@code ?}, {@code
 * [a-z]}, {@code \} to quote), beginning with {@code mad.}. {@code mad.#} means {@code mad.*} (wire
 * contract §2).
 */
public record ChannelPattern(String text) {
  public static final String RULE =
      "must be a channel, such as mad.topic.news, or a Redis glob that begins with mad., such as"
          + " mad.topic.*, of at most 256 characters of A-Z a-z 0-9 . _ : - * ? [ ] ^ \\";

  private static final Pattern TEXT =
      Pattern.compile("mad\\.[A-Za-z0-9._:\\-*?\\[\\]^\\\\]{1,252}");

  private static final List<Channel.Kind> HOUSEKEEPING =
      List.of(Channel.Kind.SYSTEM, Channel.Kind.STREAM);

  /** Everything on the bus. */
  public static final ChannelPattern ALL = new ChannelPattern("mad.*");

  /** Throws an {@link IllegalArgumentException} with {@link #RULE} for an invalid pattern. */
  public ChannelPattern {
    text = text.endsWith(".#") ? text.substring(0, text.length() - 1) + "*" : text;
    if (!TEXT.matcher(text).matches() || !(RedisGlob.isGlob(text) || Channel.isChannel(text))) {
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
    return RedisGlob.isGlob(text);
  }

  /** Whether Redis would deliver a message on {@code channel} to this subscription. */
  public boolean matches(String channel) {
    return RedisGlob.matches(text, channel);
  }

  /** Whether some channels of a kind may match. */
  public boolean mayMatch(Channel.Kind kind) {
    String beginning = RedisGlob.literalBeginning(text);
    return kind.prefix().startsWith(beginning) || beginning.startsWith(kind.prefix());
  }

  /**
   * Whether a subscriber of this pattern wants {@code channel}, which it matches: globs include the
   * services' housekeeping only where their literal prefix names it (wire contract §2).
   */
  public boolean asksFor(String channel) {
    String beginning = RedisGlob.literalBeginning(text);
    return HOUSEKEEPING.stream()
        .noneMatch(
            kind -> channel.startsWith(kind.prefix()) && !beginning.startsWith(kind.pattern()));
  }

  @Override
  public String toString() {
    return text;
  }
}
