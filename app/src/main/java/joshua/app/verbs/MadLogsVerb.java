package joshua.app.verbs;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import joshua.app.LogRing;
import joshua.app.audit.AuditStore;
import joshua.app.audit.Kept;
import joshua.conversation.EnvelopeCodec;
import joshua.kernel.Role;
import joshua.ssh.Access;
import joshua.ssh.Line;
import joshua.ssh.OutputFormat;
import joshua.ssh.Screen;
import joshua.ssh.Style;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailed;
import joshua.state.StoreUnavailable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mad-logs}: the newest lines of the log, or of the audit. */
@Command(
    name = "mad-logs",
    description = "Show the newest lines of the log of this MAD's process, or of its audit.",
    footer = {
      "",
      "MADs that run in one process have one log; each has an audit of its own. Kept are the newest",
      "10 000 lines, at most 8 Mi characters. Viewers don't see what others have said: prompts, inputs",
      "of tools, what a line quotes, the text of exceptions. Examples:",
      "  mad-logs -n 20 --level warn",
      "  mad-logs -f --correlation 0193f0a2-7c1e-7d4b-9a55-3c2e8f6b1d07",
      "  mad-logs --audit -o json"
    })
final class MadLogsVerb extends Verb {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

  /** Candidates that a refusal names where an id is ambiguous. */
  private static final int NAMED = 5;

  /** How much a line matters, least first. */
  enum Importance {
    TRACE,
    DEBUG,
    INFO,
    WARN,
    ERROR
  }

  private final Self self;

  @Option(names = "-n", paramLabel = "COUNT", description = "So many lines, 1-10000. Default: 50")
  private int count = 50;

  @Option(
      names = {"-f", "--follow"},
      description = "Go on with what comes, until Ctrl-C.")
  private boolean follow;

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      description = "Lines that matter at least so much: ${COMPLETION-CANDIDATES}.")
  private Importance level = Importance.TRACE;

  @Option(
      names = "--correlation",
      paramLabel = "UUID",
      description = "Lines with this correlation id alone; its beginning is enough.")
  private @Nullable String correlation;

  @Option(names = "--audit", description = "What admins did, and who wasn't let in, instead.")
  private boolean audit;

  MadLogsVerb(Self self) {
    this.self = self;
  }

  @Override
  public void run(Access access, Screen screen) throws VerbFailed, InterruptedException {
    if (count < 1 || count > 10_000) {
      throw VerbFailed.misuse("-n is from 1 to 10000");
    }
    if (audit) {
      audit(access, screen);
    } else {
      log(access, screen);
    }
  }

  /** The one correlation id that is meant; null: lines of any. */
  private @Nullable String wholeCorrelation() throws VerbFailed {
    String given = correlation;
    if (given == null) {
      return null;
    }
    Set<String> found = new LinkedHashSet<>();
    for (LogRing.Entry entry :
        self.log().newest(Integer.MAX_VALUE, each -> beginsWith(each.correlationId(), given))) {
      found.add(String.valueOf(entry.correlationId()));
    }
    if (found.isEmpty() || found.contains(given)) {
      return given;
    }
    if (found.size() > 1) {
      throw VerbFailed.refused(
          "%s begins several correlation ids: %s%s. Write more of the one that you mean."
              .formatted(
                  given,
                  found.stream().limit(NAMED).collect(Collectors.joining(", ")),
                  found.size() > NAMED ? " and more" : ""));
    }
    return found.iterator().next();
  }

  private static boolean beginsWith(@Nullable String id, String beginning) {
    return id != null && id.startsWith(beginning);
  }

  private void log(Access access, Screen screen) throws VerbFailed, InterruptedException {
    String request = wholeCorrelation();
    Level least = Level.valueOf(level.name());
    Predicate<LogRing.Entry> wanted =
        entry ->
            entry.level().isGreaterOrEqual(least)
                && (request == null || request.equals(entry.correlationId()));
    long seen = self.log().sequence();
    for (LogRing.Entry entry : self.log().newest(count, wanted)) {
      show(access.role() == Role.VIEWER ? entry.forViewers() : entry, screen);
      seen = Math.max(seen, entry.sequence());
    }
    while (follow && !screen.gone()) {
      for (LogRing.Entry entry : self.log().after(seen, LOOK_AGAIN.toMillis())) {
        if (entry.sequence() > seen + 1) {
          screen.remark("%d lines were too many to show".formatted(entry.sequence() - seen - 1));
        }
        seen = entry.sequence();
        if (wanted.test(entry)) {
          show(access.role() == Role.VIEWER ? entry.forViewers() : entry, screen);
        }
      }
    }
  }

  private static void show(LogRing.Entry entry, Screen screen) {
    if (screen.format() == OutputFormat.JSON) {
      screen.json(entry.json());
      return;
    }
    List<Line> lines = new ArrayList<>();
    lines.add(
        new Line(
            List.of(
                new Line.Piece(EnvelopeCodec.timestamp(entry.at()) + " ", Style.FAINT),
                new Line.Piece("%-5s ".formatted(entry.level()), style(entry.level())),
                new Line.Piece(entry.logger() + " ", Style.STRONG),
                new Line.Piece(entry.message(), Style.PLAIN),
                new Line.Piece(
                    entry.correlationId() == null
                        ? ""
                        : "  correlation_id=" + entry.correlationId(),
                    Style.FAINT))));
    if (entry.exception() != null) {
      entry.exception().lines().forEach(line -> lines.add(Line.of(line.replace("\t", "  "))));
    }
    screen.lines(lines);
  }

  private static Style style(Level level) {
    if (level.isGreaterOrEqual(Level.ERROR)) {
      return Style.BAD;
    }
    return level.isGreaterOrEqual(Level.WARN) ? Style.DOUBTFUL : Style.PLAIN;
  }

  private void audit(Access access, Screen screen) throws VerbFailed, InterruptedException {
    try {
      long seen = 0;
      for (Kept record : self.audit().newest(Math.min(count, AuditStore.MOST))) {
        show(access.role() == Role.VIEWER ? record.forViewers() : record, screen);
        seen = record.auditId();
      }
      while (follow && !screen.gone()) {
        self.pause().pause(LOOK_AGAIN);
        for (Kept record : self.audit().after(seen)) {
          show(access.role() == Role.VIEWER ? record.forViewers() : record, screen);
          seen = record.auditId();
        }
      }
    } catch (StoreUnavailable e) {
      throw VerbFailed.unavailable("the audit can't be read now; the log says why");
    }
  }

  private static void show(Kept record, Screen screen) {
    if (screen.format() == OutputFormat.JSON) {
      screen.json(record.json());
      return;
    }
    JsonNode json = record.json();
    screen.lines(
        List.of(
            new Line(
                List.of(
                    new Line.Piece(record.at() + " ", Style.FAINT),
                    new Line.Piece("%-13s ".formatted(record.action()), Style.STRONG),
                    new Line.Piece(
                        "%-11s ".formatted(record.result()),
                        record.result().equals("ok") ? Style.GOOD : Style.DOUBTFUL),
                    new Line.Piece(
                        "%s (%s) %s from %s: "
                            .formatted(
                                record.who(),
                                json.path("role").asText("-"),
                                json.path("fingerprint").asText("-"),
                                record.from()),
                        Style.PLAIN),
                    new Line.Piece(record.detail(), Style.PLAIN)))));
  }
}
