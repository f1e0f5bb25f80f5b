package joshua.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import joshua.kernel.ErrorCode;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many callers' writes in one transaction. A first write blocks the writer until all are queued.
 */
class GroupCommitTest {
  @TempDir Path directory;

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final CountDownLatch let = new CountDownLatch(1);
  private final CountDownLatch second = new CountDownLatch(1);
  private final Map<String, Object> answers = new ConcurrentHashMap<>();
  private final List<Thread> callers = new ArrayList<>();
  private Database database;

  @BeforeEach
  void hold() throws Exception {
    database = NotesSchema.open(directory.resolve("notes.db"), meters);
    CompletableFuture<Void> held = new CompletableFuture<>();
    call(
        "first",
        connection -> {
          held.complete(null);
          awaitUninterruptibly(let);
          return NotesSchema.add(connection, "first");
        });
    held.get();
  }

  @AfterEach
  void close() {
    let.countDown();
    second.countDown();
    database.close();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private Thread call(String name, Database.Work<Object> work) {
    Thread caller =
        Thread.ofVirtual()
            .name(name)
            .start(() -> {
              try {
                answers.put(name, database.write(work));
              } catch (Throwable e) {
                answers.put(name, e);
              }
            });
    callers.add(caller);
    return caller;
  }

  private void wait(int waiting) {
    await().until(() -> meters.get("joshua.state.waiting").gauge().value() == waiting);
  }

  private void letGo() throws InterruptedException {
    let.countDown();
    for (Thread caller : callers) {
      caller.join();
    }
  }

  @Test
  void writesThatWaitTogetherShareOneCommit() throws Exception {
    for (int i = 0; i < 100; i++) {
      String text = "note " + i;
      call(text, connection -> NotesSchema.add(connection, text));
    }
    wait(100);
    letGo();
    assertThat(answers).hasSize(101).allSatisfy((name, answer) -> assertThat(answer).isEqualTo(1));
    assertThat(meters.get("joshua.state.commit").timer().count()).isEqualTo(2);
    assertThat(NotesSchema.count(database)).isEqualTo(101);
  }

  @Test
  void workThatThrowsHarmsNoOther() throws Exception {
    RuntimeException own = new IllegalArgumentException("own fault");
    call("before", connection -> NotesSchema.add(connection, "before"));
    wait(1);
    call(
        "fault",
        connection -> {
          NotesSchema.add(connection, "half");
          throw own;
        });
    wait(2);
    call(
        "error",
        connection -> {
          NotesSchema.add(connection, "half");
          throw new AssertionError("error");
        });
    wait(3);
    call(
        "double",
        connection -> NotesSchema.add(connection, "half") + NotesSchema.add(connection, "before"));
    wait(4);
    call("after", connection -> NotesSchema.add(connection, "after"));
    wait(5);
    letGo();
    assertThat(NotesSchema.texts(database)).containsExactly("first", "before", "after");
    assertThat(answers)
        .containsEntry("before", 1)
        .containsEntry("after", 1)
        .containsEntry("fault", own);
    assertThat(answers.get("error")).isInstanceOf(AssertionError.class);
    assertThat(answers.get("double")).isInstanceOf(StatementRefusedException.class);
  }

  @Test
  void workThatEndsTheTransactionFailsItsGroupAndLeavesNothing() throws Exception {
    call("before", connection -> NotesSchema.add(connection, "before"));
    wait(1);
    call(
        "rollback",
        connection -> {
          DatabaseConnections.run(connection, "rollback");
          return 0;
        });
    wait(2);
    letGo();
    assertThat(NotesSchema.texts(database)).containsExactly("first");
    assertThat(answers.get("before")).isInstanceOf(StoreUnavailableException.class);
    assertThat(answers.get("rollback")).isInstanceOf(StoreUnavailableException.class);
    assertThat(NotesSchema.add(database, "later")).isEqualTo(1);
    assertThat(database.problem()).isEmpty();
  }

  @Test
  void anAnswerIsGivenAfterTheCommit() throws Exception {
    CompletableFuture<Void> reached = new CompletableFuture<>();
    call("one", connection -> NotesSchema.add(connection, "one"));
    wait(1);
    call(
        "two",
        connection -> {
          reached.complete(null);
          awaitUninterruptibly(second);
          return 2;
        });
    wait(2);
    let.countDown();
    reached.get();
    assertThat(answers).doesNotContainKey("one");
    assertThat(NotesSchema.texts(database)).containsExactly("first");
    second.countDown();
    letGo();
    assertThat(answers).containsEntry("one", 1);
  }

  @Test
  @TriesLimit("state.waiting")
  void aWriteMoreThanTheMostIsOverloaded() throws Exception {
    for (int i = 0; i < Database.MOST_WAITING; i++) {
      String text = "note " + i;
      call(text, connection -> NotesSchema.add(connection, text));
    }
    wait(Database.MOST_WAITING);
    call("one more", connection -> NotesSchema.add(connection, "one more"));
    await().until(() -> answers.containsKey("one more"));
    assertThat(answers.get("one more"))
        .isInstanceOfSatisfying(
            StoreUnavailableException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED);
              assertThat(e).hasMessageContaining("1024 pieces of work waiting");
            });
    letGo();
    assertThat(NotesSchema.count(database)).isEqualTo(Database.MOST_WAITING + 1);
    assertThat(meters.get("joshua.state.commit").timer().count())
        .isEqualTo(1 + Database.MOST_WAITING / DatabaseWriter.LARGEST_GROUP);
  }

  @Test
  void workWhoseCallerWasInterruptedWhileItWaitedIsLeftUndone() throws Exception {
    Thread caller = call("given up", connection -> NotesSchema.add(connection, "given up"));
    wait(1);
    caller.interrupt();
    caller.join();
    call("after", connection -> NotesSchema.add(connection, "after"));
    letGo();
    assertThat(answers.get("given up")).isInstanceOf(InterruptedException.class);
    assertThat(NotesSchema.texts(database)).containsExactly("first", "after");
  }

  @Test
  void closingDoesWhatWaits() throws Exception {
    call("waiting", connection -> NotesSchema.add(connection, "waiting"));
    wait(1);
    Thread closing = Thread.ofVirtual().start(database::close);
    letGo();
    closing.join();
    assertThat(answers).containsEntry("waiting", 1);
  }
}
