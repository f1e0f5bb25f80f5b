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
import joshua.thought.Thought;
import joshua.thought.model.ModelConfig;
import joshua.thought.model.Problem;
import org.jspecify.annotations.Nullable;

/**
 * What a service has that answers prompts: tasks that last, thought about what it knows, and the
 * tools for both.
 */
public final class PromptService implements AutoCloseable {
  private final ConversationBus bus;
  private final NamedQueries queries;
  private final FailureText failures;
  private final RepeatedFailures repeated = new RepeatedFailures();
  private final InstantSource time;
  private final Tasks tasks;
  private final Thought thought;
  private final Converse converse;
  private final TaskSubmission submission;
  private @Nullable ScheduledFuture<?> reporting;

  /**
   * How a service thinks.
   *
   * @param instructions what a model is told first
   * @param needsEvidence whether a model may claim nothing that it hasn't looked up (+RG-16)
   */
  public record Mind(
      TaskLimits limits, ModelConfig model, String instructions, boolean needsEvidence) {}

  /**
   * Prompts aren't worked on before {@link #start}.
   *
   * @param database with {@link Tasks#MIGRATIONS}; to be closed after this
   * @param isKnownName whether somebody is called so, who hasn't asked for anything yet
   */
  public PromptService(
      ConversationBus bus,
      Database database,
      NamedQueries queries,
      Mind mind,
      Predicate<String> isKnownName,
      Access access,
      InstantSource time,
      PrometheusRegistry metrics) {
    this.bus = bus;
    this.queries = queries;
    this.time = time;
    this.failures = new FailureText(mind.model().key().stream().toList());
    this.tasks = new Tasks(database, bus, failures, this::ended, mind.limits(), time, metrics);
    this.thought =
        new Thought(
            queries,
            isKnownName.or(tasks::isKnownRequester),
            access,
            mind.model(),
            mind.instructions(),
            mind.needsEvidence(),
            time);
    this.converse = new Converse(bus, tasks, thought);
    this.submission = new TaskSubmission(bus.self().name(), tasks, access);
  }

  public Tasks tasks() {
    return tasks;
  }

  public TaskSubmission submission() {
    return submission;
  }

  public Thought thought() {
    return thought;
  }

  /** Says why a task failed, without the models' key. */
  public FailureText failures() {
    return failures;
  }

  /** The tools of all such services, with the description of what this one is asked for. */
  public List<Tool<?>> tools(String description) {
    String service = bus.self().name();
    List<Tool<?>> tools = new ArrayList<>();
    tools.add(converse.tool(submission, description));
    tools.addAll(TaskTools.of(service, tasks));
    tools.add(queries.tool(service));
    return tools;
  }

  /** Begins to take prompts from the bus, and to do {@code work}, made of that on prompts. */
  public void start(Function<Tasks.Work, Tasks.Work> work)
      throws BusUnavailableException, InterruptedException {
    tasks.start(work.apply(converse));
    ProblemReport report = new ProblemReport(bus, this::problems);
    bus.follow(ChannelPattern.exactly(Channel.PRESENCE), report);
    reporting = bus.connection().every(ProblemReport.TICK, report::tick);
    bus.subscribe(ChannelPattern.exactly(Channel.direct(bus.self().name())), converse);
  }

  /** A line for each cause. */
  private List<Problem> problems() {
    return Stream.concat(thought.refusals().stream(), repeated.problems().stream()).toList();
  }

  /** Questions don't count: they show nothing of the work. */
  private void ended(Task task, Outcome outcome) {
    if (task.kind() == Task.Kind.WORK) {
      repeated.ended(outcome, thought.refusals(), time.instant());
    }
  }

  /** What administrators should know. */
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
      tasks.close(); // which end before what they think with
    } finally {
      thought.close();
    }
  }
}
