package joshua.tasks.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import joshua.kernel.Json;
import joshua.tasks.model.Outcome;
import joshua.thought.model.Problem;
import org.junit.jupiter.api.Test;

class RepeatedFailuresTest {
  private static final Instant START = Instant.parse("2026-11-18T12:00:00Z");
  private static final Outcome DONE = new Outcome.Completed(Json.object(), null, null);

  private final RepeatedFailures failures = new RepeatedFailures();
  private List<Problem> known = List.of();
  private int ended;

  private void end(Outcome... outcomes) {
    for (Outcome each : outcomes) {
      failures.ended(each, known, START.plusSeconds(ended++));
    }
  }

  private static Outcome failed(String message) {
    return new Outcome.Failed(message, "at somewhere");
  }

  private List<String> problems() {
    return failures.problems().stream().map(Problem::detail).toList();
  }

  @Test
  void threeFailuresAlikeAreAProblemUntilATaskSucceeds() {
    end(failed("m: HTTP 500 (\"id 1\")"), DONE, failed("m: HTTP 503 (\"id 2\")"));
    assertThat(problems()).isEmpty();
    end(failed("m: HTTP 500 (\"id 3\")"), failed("m: HTTP 500 (\"id 4\")"));
    assertThat(problems())
        .containsExactly("Of the last 10 tasks 3 or more failed alike: m: HTTP 500 (\"id 3\")");
    assertThat(failures.problems().getFirst().at()).isEqualTo(START.plusSeconds(3));
    end(DONE);
    assertThat(problems()).isEmpty();
  }

  @Test
  void whatIsCancelledOrTakesTooLongDoesNotCount() {
    end(failed("m"), failed("m"));
    end(new Outcome.Failed("m"), new Outcome.Interrupted());
    assertThat(problems()).isEmpty();
  }

  @Test
  void whatOthersPushOutIsOver() {
    end(failed("m"), failed("m"), failed("m"));
    assertThat(problems()).hasSize(1);
    for (String other : "a b c d e f g h".split(" ")) {
      end(failed(other));
    }
    assertThat(problems()).isEmpty();
  }

  @Test
  void whatIsKnownIsNotToldTwice() {
    known =
        List.of(
            new Problem("model_refuses", START, "m refused 403"),
            new Problem("model_refuses", START, "n refused 403"));
    for (int i = 0; i < 3; i++) {
      end(failed("m refused 401\nn refused 401"));
    }
    assertThat(problems()).isEmpty();
    for (int i = 0; i < 3; i++) {
      end(failed("m refused 401\nn is in trouble"));
    }
    assertThat(problems()).hasSize(1);
  }
}
