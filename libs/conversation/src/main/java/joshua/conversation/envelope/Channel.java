package joshua.conversation.envelope;

import java.util.Optional;
import joshua.kernel.Identifiers;

/** A Redis channel of the bus: {@code mad.} and a name (wire contract §2). */
public record Channel(String name) {
  /** The kinds of channels, by prefix. */
  public enum Kind {
    DIRECT("mad.direct"),
    TOPIC("mad.topic"),
    BROADCAST("mad.broadcast"),
    STREAM("mad.stream"),
    SYSTEM("mad.system"),
    OTHER("mad.other");

    private final String pattern;
    private final String prefix;

    Kind(String pattern) {
      this.pattern = pattern;
      this.prefix = pattern + ".";
    }

    /** The name of this kind of traffic in counts (REQ-RG-15). */
    public String pattern() {
      return pattern;
    }

    /** The prefix of the channels of this kind. */
    public String prefix() {
      return prefix;
    }
  }

  public static final String RULE =
      "must be mad. followed by 1-160 characters of A-Z a-z 0-9 . _ : -";

  public static final Channel BROADCAST = new Channel("mad.broadcast");
  public static final Channel HEARTBEAT = new Channel("mad.system.heartbeat");
  public static final Channel PRESENCE = new Channel("mad.system.presence");

  /** Events that services publish. */
  public static final Channel EVENTS = new Channel("mad.system.events");

  private static final String PREFIX = "mad.";
  private static final int MAX_LENGTH = 164;
  private static final Kind[] NAMED = {Kind.DIRECT, Kind.TOPIC, Kind.STREAM, Kind.SYSTEM};

  /** Throws an {@link IllegalArgumentException} with {@link #RULE} for an invalid name. */
  public Channel {
    if (!isChannel(name)) {
      throw new IllegalArgumentException("channel " + RULE);
    }
  }

  public static Optional<Channel> parse(String name) {
    return isChannel(name) ? Optional.of(new Channel(name)) : Optional.empty();
  }

  static boolean isChannel(String name) {
    return name.startsWith(PREFIX)
        && name.length() > PREFIX.length()
        && name.length() <= MAX_LENGTH
        && Identifiers.areNameCharacters(name, PREFIX.length());
  }

  /** The channel of one participant. */
  public static Channel direct(String recipient) {
    return named(Kind.DIRECT, recipient);
  }

  /** The channel of a topic. */
  public static Channel topic(String topic) {
    return named(Kind.TOPIC, topic);
  }

  private static Channel named(Kind kind, String name) {
    if (!Identifiers.isName(name)) {
      throw new IllegalArgumentException(
          "the name on " + kind.pattern + " " + Identifiers.NAME_RULE);
    }
    return new Channel(kind.prefix + name);
  }

  /** Its kind; {@link Kind#OTHER} also where a known prefix isn't followed by a name. */
  public Kind kind() {
    for (Kind kind : NAMED) {
      if (name.startsWith(kind.prefix)) {
        return Identifiers.isName(name.substring(kind.prefix.length())) ? kind : Kind.OTHER;
      }
    }
    return equals(BROADCAST) ? Kind.BROADCAST : Kind.OTHER;
  }

  /** The recipient that a direct channel addresses. */
  public Optional<String> recipient() {
    return kind() == Kind.DIRECT
        ? Optional.of(name.substring(Kind.DIRECT.prefix.length()))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return name;
  }
}
