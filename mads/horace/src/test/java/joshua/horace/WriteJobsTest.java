package joshua.horace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.horace.change.Refused;
import joshua.horace.change.Request;
import joshua.horace.change.Request.Scope;
import joshua.horace.document.Documents;
import joshua.horace.document.Edit;
import joshua.horace.document.Locks;
import joshua.horace.document.Snapshots;
import joshua.horace.exchange.Import;
import joshua.horace.project.Decisions;
import joshua.horace.project.Projects;
import joshua.horace.thinking.Archive;
import joshua.horace.thinking.Input.Whose;
import joshua.horace.thinking.Sessions;
import joshua.horace.thinking.Thoughts;
import joshua.kernel.AwakeTime;
import joshua.state.Database;
import joshua.state.Pulse;
import joshua.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens in a batch of writes, whose jobs wait here until all of them are queued. */
class WriteJobsTest {
  private static final InstantSource TIME = InstantSource.system();
  private static final String PLAN = "plan.md";

  @TempDir Path directory;
  private Database database;
  private Locks locks;
  private Documents documents;

  @BeforeEach
  void open() throws IOException {
    database = Database.open(directory.resolve("horace.db"), Horace.MIGRATIONS, TIME);
    locks = new Locks(database, new Pulse(), new AwakeTime(System::nanoTime), TIME);
    documents = new Documents(database, locks, 50);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private static Request by(String author) {
    return Request.of(author, "default", Instant.now());
  }

  /** Holds up the writer, until this is counted down. */
  private CountDownLatch hold() {
    CountDownLatch held = new CountDownLatch(1);
    database.submit(tx -> {
      try {
        held.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return true;
    });
    return held;
  }

  /** Begins a call, and returns when its write is queued. */
  private static FutureTask<?> queued(Callable<?> call) {
    FutureTask<?> task = new FutureTask<>(call);
    Thread thread = Thread.ofPlatform().start(task);
    Await.until(
        "its write is queued",
        () ->
            thread.getState() == Thread.State.WAITING
                && Arrays.stream(thread.getStackTrace())
                    .anyMatch(it ->
                        it.getClassName().equals(Database.class.getName())
                            && it.getMethodName().equals("write")));
    return task;
  }

  @Test
  void anEditOfWhatHasChangedMeanwhileIsMadeAgain() throws Exception {
    documents.overwrite(by("ann"), PLAN, "one\n");
    Edit append = new Edit(PLAN, "three\n", null, null, null, null, null, null, Scope.NONE);
    CountDownLatch held = hold();
    FutureTask<?> write = queued(() -> documents.overwrite(by("bob"), PLAN, "one\ntwo\n"));
    FutureTask<?> edit = queued(() -> documents.edit(by("ann"), append));
    held.countDown();
    write.get();
    edit.get();
    assertThat(documents.text("default", PLAN)).isEqualTo("one\ntwo\nthree\n");
  }

  @Test
  void anImportDoesNotUndoAnUpdateOfTheState() throws Exception {
    documents.overwrite(by("ann"), Documents.STATE, "{}");
    Import.File file = new Import.File("project-state.yaml", "b: 1");
    Import.Input input = new Import.Input(List.of(file), null, Scope.NONE);
    CountDownLatch held = hold();
    FutureTask<?> update =
        queued(() -> documents.overwrite(by("bob"), Documents.STATE, "{\"a\":1}"));
    FutureTask<?> taken = queued(() -> new Import(database, documents).take(by("ann"), input));
    held.countDown();
    update.get();
    assertThat(taken.get().toString()).contains("is at version 2, written by bob");
    assertThat(documents.data("default", Documents.STATE)).hasToString("{\"a\":1}");
  }

  /** A job that throws rolls its batch back, and all others of it run again. */
  @Test
  void noJobThrowsARefusal() throws Exception {
    documents.overwrite(by("ann"), PLAN, "one\n");
    locks.take(by("ann"), new Locks.Take("locked.md", 60, null, null, null, Scope.NONE));
    Decisions decisions = new Decisions(database, documents);
    Sessions sessions = new Sessions(database);
    Whose unknown = new Whose("nowhere", null, null);
    Thoughts.Think think = new Thoughts.Think("x", null, unknown);
    Map<String, Callable<?>> refused =
        Map.of(
            "write",
            () -> documents.write(by("bob"), write(PLAN)),
            "write without the lock",
            () -> documents.write(by("bob"), write("locked.md")),
            "delete",
            () ->
                documents.delete(by("bob"), new Documents.Delete(PLAN, 7, null, null, Scope.NONE)),
            "unlock",
            () -> locks.release(by("bob"), new Locks.Release("locked.md", 7_000, Scope.NONE)),
            "restore",
            () ->
                new Snapshots(database, documents)
                    .restore(by("bob"), new Snapshots.Restore(7, Scope.NONE)),
            "amend",
            () ->
                decisions.add(
                    by("bob"),
                    new Decisions.Add("x", null, null, null, null, "DEV_900", Scope.NONE)),
            "create",
            () ->
                new Projects(database, TIME, documents)
                    .create(by("bob"), new Projects.Create("x", null, new Scope("default", null))),
            "think",
            () -> sessions.change(by("bob"), think, Thoughts::think),
            "load",
            () ->
                new Archive(sessions).load(by("bob"), new Archive.Load("nowhere", null, unknown)));
    for (Map.Entry<String, Callable<?>> each : refused.entrySet()) {
      CountDownLatch held = hold();
      AtomicInteger runs = new AtomicInteger();
      CompletableFuture<Integer> other = database.submit(tx -> runs.incrementAndGet());
      FutureTask<?> task = queued(each.getValue());
      held.countDown();
      assertThatThrownBy(task::get).as(each.getKey()).hasCauseInstanceOf(Refused.class);
      assertThat(other.join()).as(each.getKey()).isOne();
    }
  }

  private static Documents.Write write(String path) {
    return new Documents.Write(path, "x", null, null, null, null, null, null, null, Scope.NONE);
  }
}
