package joshua.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import joshua.kernel.Json;
import joshua.kernel.TimedWait;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench/run}: measures a build, alone or alternating with another one. */
@Command(
    name = "bench/run",
    description = {
      "Measures a group from outside: WebSocket sends, MCP calls, tasks, Rogers' count.",
      "",
      "Alone, or in turn with another build: this, other, this, other, and so on, each time on a group that"
          + " was just started, with a Redis of its own, on free ports of 127.0.0.1. Every call must be accepted and"
          + " every message received exactly once; else there is no figure, but a sentence.",
      ""
    },
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "Exit status: 0 measured; 1 a rate is below --at-least; 2 wrong options; 3 a check failed, or nothing",
      "could be measured.",
      "",
      "Examples:",
      "  bench/run                                this build alone",
      "  bench/run --against HEAD~1               in turn with the commit before",
      "  bench/run --against ../joshua-released   in turn with another checkout",
      "  bench/run --against . --rounds 3         in turn with itself: how much the machine varies",
      "  bench/run --quick --scenario tasks       a first look"
    })
final class BenchmarkCommand implements Callable<Integer> {
  private static final int BELOW = 1;
  private static final int NOT_MEASURED = 3;
  private static final int INTERRUPTED = 130;
  private static final Duration CLEANS_UP_WITHIN = Duration.ofSeconds(60);
  private static final int ROUNDS = 5;
  private static final int MOST_ROUNDS = 100;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--against",
      paramLabel = "DIRECTORY|REF",
      description =
          "The other build: a checkout's directory, or what git knows a commit by. A commit is checked out into a"
              + " temporary directory and built there.")
  private @Nullable String against;

  @Option(
      names = "--build",
      paramLabel = "DIRECTORY",
      description = "The checkout to measure. Default: the one that this script stands in.")
  private @Nullable Path build;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each build is measured, at most 100. Default: 5, with --quick 1.")
  private @Nullable Integer rounds;

  @Option(
      names = "--at-least",
      paramLabel = "RATIO",
      description =
          "The least that the ratio of each rate may be, of this build to the other. Default: ${DEFAULT-VALUE}")
  private double atLeast = 0.97;

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      description =
          "This scenario alone; may be given several times: websocket_sends, mcp_calls, tasks, rogers_count.")
  private Set<String> scenarios = new LinkedHashSet<>();

  @Option(
      names = "--quick",
      description = "Two seconds a scenario, and no round to warm up: shows that it runs.")
  private boolean quick;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also writes each result, and then the summary, as a JSON object a line.")
  private @Nullable Path json;

  @SuppressWarnings("UnusedVariable") // picocli looks at it
  @Option(names = "--help", usageHelp = true, description = "Says this.")
  private boolean help;

  /**
   * Runs, and exits with the exit status; also on SIGINT and SIGTERM, once everything has been
   * stopped.
   */
  public static void main(String[] arguments) {
    Thread main = Thread.currentThread();
    CountDownLatch ended = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().unstarted(() -> interrupt(main, ended)));
    int status = execute(arguments);
    ended.countDown();
    System.exit(status);
  }

  /** Lets the thread that started the groups stop them. */
  private static void interrupt(Thread main, CountDownLatch ended) {
    if (ended.getCount() == 0) {
      return;
    }
    main.interrupt();
    try {
      if (!ended.await(CLEANS_UP_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
        System.err.println("bench: could not end everything that was started");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static int execute(String... arguments) {
    return new CommandLine(new BenchmarkCommand())
        .setUsageHelpWidth(110)
        .setExecutionExceptionHandler((exception, command, _) -> {
          if (exception instanceof InterruptedException || Thread.interrupted()) {
            command.getErr().println("bench: interrupted; what was started has ended");
            return INTERRUPTED;
          }
          if (!(exception instanceof BenchmarkException)) {
            throw exception;
          }
          command.getErr().println("bench: " + exception.getMessage());
          return NOT_MEASURED;
        })
        .execute(arguments);
  }

  @Override
  public Integer call() throws InterruptedException {
    if (rounds != null && (rounds < 1 || rounds > MOST_ROUNDS)) {
      throw new CommandLine.ParameterException(
          line(), "--rounds must be 1 to %d".formatted(MOST_ROUNDS));
    }
    TimedWait timedWait = TimedWait.system();
    BenchmarkPlan plan =
        quick
            ? BenchmarkPlan.quick(rounds == null ? 1 : rounds, timedWait)
            : BenchmarkPlan.whole(rounds == null ? ROUNDS : rounds, timedWait);
    if (!scenarios.isEmpty()) {
      plan = plan.only(scenarios);
    }
    Path home = build == null ? Path.of(System.getProperty("joshua.home", ".")) : build;
    if (against == null) {
      return measure(plan, List.of(MeasuredBuild.of(MeasuredBuild.THIS, home)), timedWait);
    }
    if (Files.isDirectory(Path.of(against))) {
      return compare(plan, home, Path.of(against), timedWait);
    }
    try (TemporaryWorktree worktree = TemporaryWorktree.of(home, against)) {
      return compare(plan, home, worktree.path(), timedWait);
    }
  }

  private int compare(BenchmarkPlan plan, Path home, Path other, TimedWait timedWait)
      throws InterruptedException {
    return measure(
        plan,
        List.of(
            MeasuredBuild.of(MeasuredBuild.THIS, home),
            MeasuredBuild.of(MeasuredBuild.OTHER, other)),
        timedWait);
  }

  private int measure(BenchmarkPlan plan, List<MeasuredBuild> builds, TimedWait timedWait)
      throws InterruptedException {
    write(List.of(), StandardOpenOption.TRUNCATE_EXISTING);
    List<ScenarioResult> results =
        new BenchmarkRun(plan, timedWait, group -> show(plan, group)).run(builds);
    List<FigureSummary> summaries = FigureSummary.of(results);
    write(summaries.stream().map(FigureSummary::json).toList(), StandardOpenOption.APPEND);
    out().println();
    for (MeasuredBuild each : builds) {
      out().printf("%s build: %s%n", each.role(), each.version());
    }
    out()
        .printf(
            "%s%nmedian (least–greatest) of %d rounds; ratio above 1: this build is faster%n%n%s%n",
            load(results), plan.rounds(), SummaryTable.of(summaries));
    List<FigureSummary> below =
        summaries.stream().filter(summary -> summary.isBelow(atLeast)).toList();
    for (FigureSummary each : below) {
      out().printf("%n%s: the ratio of %s is below %s%n", each.scenario(), each.figure(), atLeast);
    }
    out().flush();
    return below.isEmpty() ? 0 : BELOW;
  }

  /** States how busy the machine was: the reader needs it before any ratio. */
  private static String load(List<ScenarioResult> results) {
    SampleRange load = SampleRange.of(results.stream().map(ScenarioResult::load).toList());
    return "%d processors, load average %.1f (%.1f–%.1f)"
        .formatted(
            Runtime.getRuntime().availableProcessors(), load.median(), load.min(), load.max());
  }

  private void show(BenchmarkPlan plan, List<ScenarioResult> results) {
    write(results.stream().map(ScenarioResult::json).toList(), StandardOpenOption.APPEND);
    ScenarioResult first = results.getFirst();
    String rates =
        results.stream()
            .map(result -> result.figures().getFirst())
            .map(rate -> "%s %s".formatted(rate.name(), SummaryTable.number(rate.value())))
            .collect(Collectors.joining(", "));
    String round =
        first.counts() ? "round %d of %d".formatted(first.round(), plan.rounds()) : "warm-up";
    PrintWriter err = line().getErr();
    err.printf("%s, %s build: %s%n", round, first.build().role(), rates);
    err.flush();
  }

  private void write(List<ObjectNode> objects, StandardOpenOption mode) {
    if (json == null) {
      return;
    }
    List<String> lines = new ArrayList<>();
    objects.forEach(object -> lines.add(Json.write(object)));
    try {
      Files.write(json, lines, StandardOpenOption.CREATE, StandardOpenOption.WRITE, mode);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private CommandLine line() {
    if (spec == null) {
      throw new IllegalStateException("not made by picocli");
    }
    return spec.commandLine();
  }

  private PrintWriter out() {
    return line().getOut();
  }
}
