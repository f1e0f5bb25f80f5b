package joshua.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import joshua.kernel.Json;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;

/**
 * One request to Fiedler in a crash matrix, by tool or by envelope, and its outcome. When repeated
 * it is the same request: same idempotency key, same message id.
 */
final class CrashRequest {
  /** The answers in {@code crash-models.json}, by the word in the prompt. */
  enum Subject {
    POEM("Roses are red,\nviolets are blue,\nthe bus is quick,\nand so are you."),
    BALLAD(
        "There was a bus that never slept, and all that it was told it kept: a word, a line, a page,"
            + " a book, it only had to stop and look. One night the lights went out at three; it"
            + " counted what there used to be, found every word where it had been, and sang on from"
            + " the one between. And those who listened heard it through: what had been void was"
            + " said anew."),
    ACCENTS("Größe, naïve, Ærø: 🚌🚌🚏, 漢字 and العربية, 👩‍🔧 mends \"quotes\" \\ and \ttabs."),
    /** Is refused by the model server. */
    NONSENSE("");

    final String text;

    Subject(String text) {
      this.text = text;
    }

    String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /** How it is asked. */
  enum Way {
    CONVERSE,
    SEND,
    ENVELOPE
  }

  private static final long ANSWER_SECONDS = 10;

  private final int number;
  private final Subject subject;
  private final Way way;
  private final RawEnvelope envelope;
  private Optional<CompletableFuture<JsonNode>> asked = Optional.empty();
  private Optional<String> task = Optional.empty();
  private int times;

  private CrashRequest(int number, Subject subject, Way way) {
    this.number = number;
    this.subject = subject;
    this.way = way;
    this.envelope =
        RawEnvelope.on("mad.direct.fiedler")
            .from(requester())
            .payload("{\"prompt\":\"%s\"}".formatted(prompt()));
  }

  static CrashRequest any(int number, Random random) {
    List<Subject> subjects =
        List.of(Subject.POEM, Subject.BALLAD, Subject.BALLAD, Subject.ACCENTS, Subject.NONSENSE);
    List<Way> ways = List.of(Way.CONVERSE, Way.CONVERSE, Way.SEND, Way.ENVELOPE, Way.ENVELOPE);
    return new CrashRequest(
        number,
        subjects.get(random.nextInt(subjects.size())),
        ways.get(random.nextInt(ways.size())));
  }

  Subject subject() {
    return subject;
  }

  Way way() {
    return way;
  }

  int times() {
    return times;
  }

  String requester() {
    return "asker-" + way.name().toLowerCase(java.util.Locale.ROOT);
  }

  /** Unlike every other request's. */
  String prompt() {
    return "request %d, %s".formatted(number, subject.word());
  }

  /** {@code fiedler_send} knows no idempotency keys: repeated, it would be another task. */
  boolean canBeAskedAgain() {
    return way != Way.SEND;
  }

  void ask(FrameSocketClient fiedler, RawRedis redis) {
    times++;
    switch (way) {
      case CONVERSE ->
          asked =
              Optional.of(
                  fiedler.begin(
                      "fiedler_converse", input().put("idempotency_key", "key-" + number)));
      case SEND -> asked = Optional.of(fiedler.begin("fiedler_send", input()));
      case ENVELOPE -> redis.publish("mad.direct.fiedler", envelope.json());
    }
  }

  private ObjectNode input() {
    return Json.object().put("prompt", prompt()).put("requester_id", requester());
  }

  /** Looks for the answer, once Fiedler is dead or its time is up. */
  void look(TaskStreamListener ear, List<String> faults) {
    List<JsonNode> answers =
        way == Way.ENVELOPE
            ? ear.answers(envelope.text("correlation_id"))
            : asked.flatMap(CrashRequest::answer).stream().toList();
    for (JsonNode answer : answers) {
      String id = answer.path("task_id").asText();
      if (!answer.path("status").asText().equals("pending")) {
        faults.add(prompt() + " was answered " + answer);
      } else if (!task.orElse(id).equals(id)) {
        faults.add(prompt() + " is task " + task.get() + " and task " + id);
      } else {
        task = Optional.of(id);
      }
    }
  }

  private static Optional<JsonNode> answer(CompletableFuture<JsonNode> asked) {
    try {
      return Optional.of(asked.get(ANSWER_SECONDS, TimeUnit.SECONDS));
    } catch (Exception e) {
      return Optional.empty();
    }
  }

  /** The id of the task, as answered. */
  Optional<String> task() {
    return task;
  }
}
