package joshua.conversation;

import java.util.Optional;
import java.util.regex.Pattern;
import joshua.kernel.BusIdentifiers;

/** A Redis channel of the bus: {@code mad.} and a name (wire contract §2). */
public record Channel(String name) {

  /** The purpose of a channel, determined by its prefix. */
  public enum Kind {
    DIRECT("mad.direct"),
    TOPIC("mad.topic"),
    BROADCAST("mad.broadcast"),
    STREAM("mad.stream"),
    SYSTEM("mad.system"),
    OTHER("mad.other");

    private final String pattern;

    Kind(String pattern) {
      this.pattern = pattern;
    }

    /** The name under which this kind of traffic is counted (REQ-RG-15). */
    public String pattern() {
      return pattern;
    }

    private boolean isOpenToClients() {
      return this == DIRECT || this == TOPIC || this == BROADCAST;
    }
  }

  public static final String RULE =
      "must be mad. followed by 1-160 characters of A-Z a-z 0-9 . _ : -";
  // Declared before the constants below, whose constructor needs it.
  private static final Pattern NAME = Pattern.compile("mad\\.[A-Za-z0-9._:-]{1,160}");

  public static final Channel BROADCAST = new Channel("mad.broadcast");
  public static final Channel HEARTBEAT = new Channel("mad.system.heartbeat");
  public static final Channel PRESENCE = new Channel("mad.system.presence");

  /** The events that services have detected and recorded. */
  public static final Channel SYSTEM_EVENTS = new Channel("mad.topic.system_events");

  public static final Channel LEDGER = new Channel("mad.system.ledger");

  private static final Optional<String> SYSTEM_BEGINNING = Optional.of(Kind.SYSTEM.pattern);
  private static final Optional<String> STREAM_BEGINNING = Optional.of(Kind.STREAM.pattern);
  private static final Optional<String> EVENTS_BEGINNING = Optional.of("mad.topic.system_");

  public Channel {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("channel " + RULE);
    }
  }

  public static Optional<Channel> parse(String name) {
    return NAME.matcher(name).matches() ? Optional.of(new Channel(name)) : Optional.empty();
  }

  /** The channel of one participant. */
  public static Channel direct(String recipient) {
    return named(Kind.DIRECT, recipient);
  }

  /** The channel of a topic. */
  public static Channel topic(String topic) {
    return named(Kind.TOPIC, topic);
  }

  /** The token stream of a task. */
  public static Channel stream(String taskId) {
    return named(Kind.STREAM, taskId);
  }

  private static Channel named(Kind kind, String name) {
    if (!BusIdentifiers.isIdentifier(name)) {
      throw new IllegalArgumentException(
          "the name on " + kind.pattern + " " + BusIdentifiers.IDENTIFIER_RULE);
    }
    return new Channel(kind.pattern + "." + name);
  }

  /** Also OTHER for a known prefix whose rest isn't an identifier. */
  public Kind kind() {
    if (name.equals(Kind.BROADCAST.pattern)) {
      return Kind.BROADCAST;
    }
    for (Kind kind : new Kind[] {Kind.DIRECT, Kind.TOPIC, Kind.STREAM, Kind.SYSTEM}) {
      if (rest(kind).filter(BusIdentifiers::isIdentifier).isPresent()) {
        return kind;
      }
    }
    return Kind.OTHER;
  }

  /** Whether clients may publish there; the other channels are for services (wire contract §2). */
  public boolean isOpenToClients() {
    return kind().isOpenToClients() && !equals(SYSTEM_EVENTS);
  }

  /** Whether it carries messages between services rather than between participants. */
  public boolean isHousekeeping() {
    return housekeepingBeginning(name).isPresent();
  }

  /**
   * The prefix with which a glob names the kind of housekeeping on {@code channel}; empty if that
   * channel has none.
   */
  static Optional<String> housekeepingBeginning(String channel) {
    if (channel.equals(SYSTEM_EVENTS.name)) {
      return EVENTS_BEGINNING;
    }
    if (!channel.startsWith("mad.s")) {
      return Optional.empty();
    }
    return channel.startsWith("mad.system.")
        ? SYSTEM_BEGINNING
        : channel.startsWith("mad.stream.") ? STREAM_BEGINNING : Optional.empty();
  }

  /** The recipient that a direct channel addresses. */
  public Optional<String> recipient() {
    return rest(Kind.DIRECT).filter(BusIdentifiers::isIdentifier);
  }

  private Optional<String> rest(Kind kind) {
    return name.startsWith(kind.pattern + ".")
        ? Optional.of(name.substring(kind.pattern.length() + 1))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return name;
  }
}
