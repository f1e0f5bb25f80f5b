package joshua.app;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.Envelope;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Selects the messages that {@code joshua tail} shows: its patterns, and the options that narrow
 * them.
 */
final class TailFilter {
  private static final String SYSTEM = "mad.system";
  private static final String STREAMS = "mad.stream";

  @Parameters(
      arity = "0..*",
      paramLabel = "PATTERN",
      description = "Channels or globs that begin with mad. Default: mad.*")
  private List<String> patterns = new ArrayList<>();

  @Option(names = "--all", description = "Show system messages and streams as well.")
  private boolean all;

  @Option(
      names = "--system",
      description = "Show mad.system.* and mad.topic.system_events as well.")
  private boolean system;

  @Option(names = "--streams", description = "Show mad.stream.* as well.")
  private boolean streams;

  @Option(
      names = "--from",
      paramLabel = "ID",
      description = "Show what this participant says alone; may be given several times.")
  private List<String> senders = new ArrayList<>();

  @Option(
      names = "--grep",
      paramLabel = "REGEX",
      description = "Show messages whose payload, as JSON, contains this regular expression.")
  private String grep = "";

  @Option(
      names = "--exclude",
      paramLabel = "PATTERN",
      description = "Leave these channels out; may be given several times.")
  private List<String> excluded = new ArrayList<>();

  /** The verdict on a message. */
  enum Verdict {
    SHOWN,
    /** It is housekeeping that wasn't asked for. */
    SYSTEM,
    LEFT_OUT
  }

  private Set<ChannelPattern> followed = Set.of(ChannelPattern.ALL);
  private Set<ChannelPattern> without = Set.of();
  private Pattern expression = Pattern.compile("");

  /** Reads the arguments; adds to {@code problems} what can't be followed. */
  void read(List<String> problems) {
    Set<ChannelPattern> named = patterns("PATTERN", patterns, problems);
    followed = named.isEmpty() ? Set.of(ChannelPattern.ALL) : named;
    without = patterns("--exclude", excluded, problems);
    if (!senders.stream().allMatch(BusIdentifiers::isIdentifier)) {
      problems.add("--from " + BusIdentifiers.IDENTIFIER_RULE);
    }
    try {
      expression = Pattern.compile(grep, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    } catch (PatternSyntaxException e) {
      problems.add(
          "--grep must be a regular expression (%s at character %d of \"%s\")"
              .formatted(e.getDescription(), Math.max(0, e.getIndex()) + 1, grep));
    }
  }

  private static Set<ChannelPattern> patterns(
      String what, List<String> texts, List<String> problems) {
    Set<ChannelPattern> read = new LinkedHashSet<>();
    for (String text : texts) {
      Optional<ChannelPattern> pattern = ChannelPattern.parse(text);
      pattern.ifPresentOrElse(
          read::add,
          () -> problems.add("%s %s (it is \"%s\")".formatted(what, ChannelPattern.RULE, text)));
    }
    return read;
  }

  /** The patterns to subscribe to. */
  Set<ChannelPattern> followed() {
    return followed;
  }

  Verdict judge(Envelope envelope) {
    String channel = envelope.channel().name();
    if (without.stream().anyMatch(pattern -> pattern.matches(channel))
        || !(senders.isEmpty() || senders.contains(envelope.senderId()))
        || !(grep.isEmpty() || expression.matcher(Json.write(envelope.payload())).find())) {
      return Verdict.LEFT_OUT;
    }
    return isAskedFor(envelope.channel()) ? Verdict.SHOWN : Verdict.SYSTEM;
  }

  private boolean isAskedFor(Channel channel) {
    String name = channel.name();
    boolean wanted =
        all
            || (system && (name.startsWith(SYSTEM) || channel.equals(Channel.SYSTEM_EVENTS)))
            || (streams && name.startsWith(STREAMS));
    return wanted
        || followed.stream().anyMatch(pattern -> pattern.asksFor(name) && pattern.matches(name));
  }
}
