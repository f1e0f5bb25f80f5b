package joshua.rogers.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import joshua.ssh.PastTime;
import joshua.ssh.QueryVerb;
import joshua.ssh.TimeSpan;
import joshua.ssh.Verb;
import joshua.tasks.verb.TaskVerbs;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs of Rogers; most are a named query with options for its arguments. */
public final class RogersVerbs {
  /** All of them, in the order in which people see them. */
  public static final List<Class<? extends Verb>> ALL =
      List.of(
          Connections.class,
          Stats.class,
          TopVerb.class,
          Losses.class,
          Problems.class,
          Alarms.class,
          DeadLetters.class,
          Timeline.class,
          TaskVerbs.Ask.class,
          TaskVerbs.Tasks.class,
          TaskVerbs.Task.class);

  private RogersVerbs() {}

  @Command(name = "connections", description = "Shows who is on the bus, in which state, and why.")
  static final class Connections extends QueryVerb {
    @Parameters(arity = "0..1", paramLabel = "NAME", description = "A single participant.")
    @Nullable String participant;

    @Option(
        names = "--status",
        paramLabel = "STATUS",
        description = "HEALTHY, CONNECTED, STALE, DISCONNECTED, AWAY; PRESENT: who is there.")
    @Nullable String status;

    @Option(
        names = "--at",
        paramLabel = "TIME",
        converter = PastTime.class,
        description = "As it was then: " + PastTime.FORM + ".")
    @Nullable String at;

    Connections() {
      super("connections", "participant", "since_at", "why");
    }
  }

  /** A verb about a span of time. */
  abstract static class SpanVerb extends QueryVerb {
    @Mixin private TimeSpan span;

    SpanVerb(String query, String... columns) {
      super(query, columns);
    }

    @Override
    protected void arguments(ObjectNode arguments) {
      span.addTo(arguments);
    }
  }

  @Command(name = "stats", description = "Counts messages by sender, kind of channel, or hour.")
  static final class Stats extends SpanVerb {
    @Option(
        names = "--by",
        paramLabel = "WHAT",
        defaultValue = "sender",
        description = "sender, kind, hour or total; ${DEFAULT-VALUE} if left out.")
    String by;

    @Option(names = "--sender", paramLabel = "NAME", description = "Only what it sent.")
    @Nullable String participant;

    @Option(
        names = "--kind",
        paramLabel = "KIND",
        description = "mad.direct, mad.topic, mad.broadcast, mad.stream, mad.system, mad.other.")
    @Nullable String kind;

    Stats() {
      super("traffic", "messages", "bytes", "name");
    }
  }

  @Command(name = "losses", description = "Says whether messages were lost: whose, and why.")
  static final class Losses extends SpanVerb {
    @Parameters(arity = "0..1", paramLabel = "NAME", description = "Those of one client.")
    @Nullable String participant;

    Losses() {
      super("losses", "last_at", "what", "messages", "subject", "detail");
    }
  }

  @Command(
      name = "problems",
      description = "Shows everything that isn't well; in the last hour, if no time is given.")
  static final class Problems extends SpanVerb {
    Problems() {
      super("problems", "last_at", "what", "subject", "detail");
    }
  }

  @Command(name = "alarms", description = "Shows who sent far too much, or may be in a loop.")
  static final class Alarms extends SpanVerb {
    Alarms() {
      super("alarms", "begun_at", "kind", "participants", "detail");
    }
  }

  @Command(name = "dead-letters", description = "Shows messages that are no envelopes, and why.")
  static final class DeadLetters extends SpanVerb {
    DeadLetters() {
      super("dead_letters", "last_at", "messages", "channel", "reason", "head");
    }
  }

  @Command(name = "timeline", description = "Shows what happened, newest first.")
  static final class Timeline extends SpanVerb {
    @Parameters(arity = "0..1", paramLabel = "NAME", description = "To one participant.")
    @Nullable String participant;

    @Option(
        names = "--at",
        paramLabel = "TIME",
        converter = PastTime.class,
        description = "Five minutes before and after: " + PastTime.FORM + ".")
    @Nullable String at;

    Timeline() {
      super("timeline", "happened_at", "what", "subject", "detail");
    }
  }
}
