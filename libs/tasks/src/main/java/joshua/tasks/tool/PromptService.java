package joshua.tasks.tool;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.ConversationBus;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.ChannelPattern;
import joshua.network.Access;
import joshua.network.ReadinessCheck;
import joshua.network.Tool;
import joshua.state.Database;
import joshua.state.query.NamedQueries;
import joshua.tasks.FailureText;
import joshua.tasks.TaskLimits;
import joshua.tasks.Tasks;
import joshua.tasks.model.Outcome;
import joshua.tasks.model.Task;
import joshua.thought.PromptAnswerer;
import joshua.thought.model.ModelConfig;
import joshua.thought.model.Problem;
import org.jspecify.annotations.Nullable;

/** The parts of a service that answers prompts: durable tasks, the answerer, and their tools. */
public final class PromptService implements AutoCloseable {
  private final ConversationBus bus;
  private final NamedQueries queries;
  private final FailureText failures;
  private final RepeatedFailures repeated = new RepeatedFailures();
  private final InstantSource time;
  private final Tasks tasks;
  private final PromptAnswerer answerer;
  private final Converse converse;
  private final TaskSubmission submission;
  private @Nullable ScheduledFuture<?> reporting;

  /**
   * The configuration of a service's answers.
   *
   * @param instructions for the model, which come first
   * @param needsEvidence whether a model must run a query before it answers (+RG-16)
   * @param elsewhere what is asked elsewhere, a line for askers who aren't understood; may be empty
   */
  public record AnswerConfig(
      TaskLimits limits,
      ModelConfig model,
      String instructions,
      boolean needsEvidence,
      String elsewhere) {}

  /**
   * Creates the parts; prompts wait for {@link #start}.
   *
   * @param database with {@link Tasks#MIGRATIONS}; to be closed after this
   * @param isKnownName whether a name that isn't a requester's is somebody's
   */
  public PromptService(
      ConversationBus bus,
      Database database,
      NamedQueries queries,
      AnswerConfig config,
      Predicate<String> isKnownName,
      Access access,
      InstantSource time,
      PrometheusRegistry metrics) {
    this.bus = bus;
    this.queries = queries;
    this.time = time;
    this.failures = new FailureText(config.model().key().stream().toList());
    this.tasks = new Tasks(database, bus, failures, this::ended, config.limits(), time, metrics);
    this.answerer =
        new PromptAnswerer(
            queries,
            isKnownName.or(tasks::isKnownRequester),
            access,
            config.model(),
            config.instructions(),
            config.needsEvidence(),
            config.elsewhere(),
            time);
    this.converse = new Converse(bus, tasks, answerer);
    this.submission = new TaskSubmission(bus.self().name(), tasks, access);
  }

  public Tasks tasks() {
    return tasks;
  }

  public TaskSubmission submission() {
    return submission;
  }

  public PromptAnswerer answerer() {
    return answerer;
  }

  /** The text of failures, with the models' key masked. */
  public FailureText failures() {
    return failures;
  }

  /** The tools; {@code description} is that of this service's {@code X_converse}. */
  public List<Tool<?>> tools(String description) {
    String service = bus.self().name();
    List<Tool<?>> tools = new ArrayList<>();
    tools.add(converse.tool(submission, description));
    tools.addAll(TaskTools.of(service, tasks));
    tools.add(queries.tool(service));
    return tools;
  }

  /** Begins to take prompts from the bus, and to run {@code work}, which wraps that on prompts. */
  public void start(Function<Tasks.Work, Tasks.Work> work)
      throws BusUnavailableException, InterruptedException {
    tasks.start(work.apply(converse));
    ProblemReport report = new ProblemReport(bus, this::problems);
    bus.follow(ChannelPattern.exactly(Channel.PRESENCE), report);
    reporting = bus.connection().every(ProblemReport.TICK, report::tick);
    bus.subscribe(ChannelPattern.exactly(Channel.direct(bus.self().name())), converse);
  }

  /** The problems, one for each cause. */
  private List<Problem> problems() {
    return Stream.concat(answerer.refusals().stream(), repeated.problems().stream()).toList();
  }

  /** Counts work only: questions don't show whether it succeeds. */
  private void ended(Task task, Outcome outcome) {
    if (task.kind() == Task.Kind.WORK) {
      repeated.ended(outcome, answerer.refusals(), time.instant());
    }
  }

  /** The checks whose findings administrators should know. */
  public List<ReadinessCheck> remarks() {
    return List.of(
        new ReadinessCheck("database", tasks::remark),
        new ReadinessCheck(
            "work",
            () ->
                problems().stream().map(Problem::detail).reduce((one, next) -> one + "\n" + next)));
  }

  @Override
  public void close() {
    if (reporting != null) {
      reporting.cancel(false);
    }
    try {
      tasks.close(); // before the answerer that they use
    } finally {
      answerer.close();
    }
  }
}
