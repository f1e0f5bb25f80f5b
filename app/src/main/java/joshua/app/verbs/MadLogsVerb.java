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
import joshua.app.audit.AuditRecord;
import joshua.app.audit.AuditStore;
import joshua.conversation.EnvelopeCodec;
import joshua.kernel.Role;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandOutput;
import joshua.ssh.OutputFormat;
import joshua.ssh.StyledLine;
import joshua.ssh.TextStyle;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.state.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code mad-logs}: the newest lines of the log, or of the audit log. */
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

  /** Candidates that a refusal lists when an id is ambiguous. */
  private static final int NAMED = 5;

  /** The importance of a line, the least first. */
  enum Importance {
    TRACE,
    DEBUG,
    INFO,
    WARN,
    ERROR
  }

  private final MadSelfReport madSelfReport;

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

  MadLogsVerb(MadSelfReport madSelfReport) {
    this.madSelfReport = madSelfReport;
  }

  @Override
  public void run(AdminCaller adminCaller, CommandOutput commandOutput)
      throws VerbFailedException, InterruptedException {
    if (count < 1 || count > 10_000) {
      throw VerbFailedException.misuse("-n is from 1 to 10000");
    }
    if (audit) {
      audit(adminCaller, commandOutput);
    } else {
      log(adminCaller, commandOutput);
    }
  }

  /** The one correlation id that is meant; null: lines of any. */
  private @Nullable String wholeCorrelation() throws VerbFailedException {
    String given = correlation;
    if (given == null) {
      return null;
    }
    Set<String> found = new LinkedHashSet<>();
    for (LogRing.Entry entry :
        madSelfReport
            .log()
            .newest(Integer.MAX_VALUE, each -> beginsWith(each.correlationId(), given))) {
      found.add(String.valueOf(entry.correlationId()));
    }
    if (found.isEmpty() || found.contains(given)) {
      return given;
    }
    if (found.size() > 1) {
      throw VerbFailedException.refused(
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

  private void log(AdminCaller adminCaller, CommandOutput commandOutput)
      throws VerbFailedException, InterruptedException {
    String request = wholeCorrelation();
    Level least = Level.valueOf(level.name());
    Predicate<LogRing.Entry> wanted =
        entry ->
            entry.level().isGreaterOrEqual(least)
                && (request == null || request.equals(entry.correlationId()));
    long seen = madSelfReport.log().sequence();
    for (LogRing.Entry entry : madSelfReport.log().newest(count, wanted)) {
      show(adminCaller.role() == Role.VIEWER ? entry.forViewers() : entry, commandOutput);
      seen = Math.max(seen, entry.sequence());
    }
    while (follow && !commandOutput.gone()) {
      for (LogRing.Entry entry : madSelfReport.log().after(seen, LOOK_AGAIN.toMillis())) {
        if (entry.sequence() > seen + 1) {
          commandOutput.remark(
              "%d lines were too many to show".formatted(entry.sequence() - seen - 1));
        }
        seen = entry.sequence();
        if (wanted.test(entry)) {
          show(adminCaller.role() == Role.VIEWER ? entry.forViewers() : entry, commandOutput);
        }
      }
    }
  }

  private static void show(LogRing.Entry entry, CommandOutput commandOutput) {
    if (commandOutput.format() == OutputFormat.JSON) {
      commandOutput.json(entry.json());
      return;
    }
    List<StyledLine> lines = new ArrayList<>();
    lines.add(
        new StyledLine(
            List.of(
                new StyledLine.Piece(EnvelopeCodec.timestamp(entry.at()) + " ", TextStyle.FAINT),
                new StyledLine.Piece("%-5s ".formatted(entry.level()), style(entry.level())),
                new StyledLine.Piece(entry.logger() + " ", TextStyle.STRONG),
                new StyledLine.Piece(entry.message(), TextStyle.PLAIN),
                new StyledLine.Piece(
                    entry.correlationId() == null
                        ? ""
                        : "  correlation_id=" + entry.correlationId(),
                    TextStyle.FAINT))));
    if (entry.exception() != null) {
      entry.exception().lines().forEach(line -> lines.add(StyledLine.of(line.replace("\t", "  "))));
    }
    commandOutput.lines(lines);
  }

  private static TextStyle style(Level level) {
    if (level.isGreaterOrEqual(Level.ERROR)) {
      return TextStyle.BAD;
    }
    return level.isGreaterOrEqual(Level.WARN) ? TextStyle.DOUBTFUL : TextStyle.PLAIN;
  }

  private void audit(AdminCaller adminCaller, CommandOutput commandOutput)
      throws VerbFailedException, InterruptedException {
    try {
      long seen = 0;
      for (AuditRecord record : madSelfReport.audit().newest(Math.min(count, AuditStore.MOST))) {
        show(adminCaller.role() == Role.VIEWER ? record.forViewers() : record, commandOutput);
        seen = record.auditId();
      }
      while (follow && !commandOutput.gone()) {
        madSelfReport.pause().pause(LOOK_AGAIN);
        for (AuditRecord record : madSelfReport.audit().after(seen)) {
          show(adminCaller.role() == Role.VIEWER ? record.forViewers() : record, commandOutput);
          seen = record.auditId();
        }
      }
    } catch (StoreUnavailableException e) {
      throw VerbFailedException.unavailable("the audit can't be read now; the log says why");
    }
  }

  private static void show(AuditRecord record, CommandOutput commandOutput) {
    if (commandOutput.format() == OutputFormat.JSON) {
      commandOutput.json(record.json());
      return;
    }
    JsonNode json = record.json();
    commandOutput.lines(
        List.of(
            new StyledLine(
                List.of(
                    new StyledLine.Piece(record.at() + " ", TextStyle.FAINT),
                    new StyledLine.Piece("%-13s ".formatted(record.action()), TextStyle.STRONG),
                    new StyledLine.Piece(
                        "%-11s ".formatted(record.result()),
                        record.result().equals("ok") ? TextStyle.GOOD : TextStyle.DOUBTFUL),
                    new StyledLine.Piece(
                        "%s (%s) %s from %s: "
                            .formatted(
                                record.who(),
                                json.path("role").asText("-"),
                                json.path("fingerprint").asText("-"),
                                record.from()),
                        TextStyle.PLAIN),
                    new StyledLine.Piece(record.detail(), TextStyle.PLAIN)))));
  }
}
