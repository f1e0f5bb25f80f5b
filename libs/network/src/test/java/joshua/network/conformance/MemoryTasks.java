package joshua.network.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import joshua.network.Caller;
import joshua.network.ClientQuestion;
import joshua.network.ToolResult;
import joshua.network.mcp.ChangeNotifier;
import joshua.network.mcp.McpTaskService;
import joshua.network.mcp.TaskView;

/** Tasks that live as long as the process: what fixtures start instead of durable ones. */
final class MemoryTasks implements McpTaskService {
  /** The work of a task, on a thread of its own. */
  @FunctionalInterface
  interface Work {
    ToolResult run(Job job) throws InterruptedException;
  }

  /** One task; guarded by itself, since it is a test's. */
  static final class Job {
    private final String id = UUID.randomUUID().toString();
    private final Instant createdAt = Instant.now();
    private final ChangeNotifier changeNotifier;
    private final Map<String, ClientQuestion> open = new LinkedHashMap<>();
    private final Map<String, ObjectNode> answers = new LinkedHashMap<>();
    private CountDownLatch answered = new CountDownLatch(1);
    private Instant updatedAt = createdAt;
    private TaskView.State state = new TaskView.State.Working(Optional.empty());

    private Job(ChangeNotifier changeNotifier) {
      this.changeNotifier = changeNotifier;
    }

    Map<String, ObjectNode> ask(Map<String, ClientQuestion> questions) throws InterruptedException {
      CountDownLatch latch;
      synchronized (this) {
        open.putAll(questions);
        answered = new CountDownLatch(1);
        latch = answered;
        move(new TaskView.State.InputRequired(open));
      }
      latch.await();
      synchronized (this) {
        return Map.copyOf(answers);
      }
    }

    private synchronized void answer(Map<String, ObjectNode> given) {
      given.forEach((key, answer) -> {
        if (open.remove(key) != null) {
          answers.put(key, answer);
        }
      });
      if (state instanceof TaskView.State.InputRequired) {
        if (open.isEmpty()) {
          move(new TaskView.State.Working(Optional.empty()));
          answered.countDown();
        } else {
          move(new TaskView.State.InputRequired(open));
        }
      }
    }

    private synchronized void move(TaskView.State next) {
      if (state instanceof TaskView.State.Working
          || state instanceof TaskView.State.InputRequired) {
        state = next;
        updatedAt = Instant.now();
        changeNotifier.taskChanged(id);
      }
    }

    private synchronized TaskView view() {
      return new TaskView(
          id, state, createdAt, updatedAt, OptionalLong.of(600_000), OptionalLong.of(100));
    }
  }

  private final Map<String, Job> jobs = new ConcurrentHashMap<>();
  private final Map<String, Thread> threads = new ConcurrentHashMap<>();
  private final ChangeNotifier changeNotifier;

  MemoryTasks(ChangeNotifier changeNotifier) {
    this.changeNotifier = changeNotifier;
  }

  /** Starts a task, as a tool's answer. */
  ToolResult start(Work work, Function<String, ObjectNode> plainOutput) {
    Job job = new Job(changeNotifier);
    jobs.put(job.id, job);
    threads.put(
        job.id,
        Thread.ofVirtual()
            .start(() -> {
              try {
                job.move(new TaskView.State.Completed(work.run(job)));
              } catch (InterruptedException e) {
                job.move(new TaskView.State.Cancelled());
              } catch (RuntimeException e) {
                job.move(new TaskView.State.Failed("The job failed."));
              }
            }));
    return ToolResult.Success.task(job.id, plainOutput.apply(job.id));
  }

  @Override
  public Optional<TaskView> find(String taskId, Caller caller) {
    return Optional.ofNullable(jobs.get(taskId)).map(Job::view);
  }

  @Override
  public void answer(String taskId, Map<String, ObjectNode> answers, Caller caller) {
    jobs.get(taskId).answer(answers);
  }

  @Override
  public void cancel(String taskId, Caller caller) {
    jobs.get(taskId).move(new TaskView.State.Cancelled());
    threads.get(taskId).interrupt();
  }
}
