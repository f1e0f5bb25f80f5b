package joshua.thought;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import joshua.thought.ModelFailedException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RetryingModelTest {
  private static final long SEED = 11;

  private final ThoughtFixture fixture = new ThoughtFixture();
  private final List<Duration> pauses = new ArrayList<>();
  private final CircuitBreaker breaker = new CircuitBreaker(fixture.time::nanoTime);
  private final ModelRequest request =
      new ModelRequest("", List.of(), List.of(), StageDeadline.in(Duration.ofHours(1)));

  private RetryingModel patient(int retries, ScriptedModel model) {
    return new RetryingModel(model, retries, breaker, pauses::add, new Random(SEED));
  }

  private ModelFailedException failure(RetryingModel model) {
    ModelFailedException failed =
        catchThrowableOfType(ModelFailedException.class, () -> model.complete(request, fixture));
    assertThat(failed).isNotNull();
    return failed;
  }

  @ParameterizedTest
  @EnumSource
  void onlyWhatPassesIsTriedAgain(Kind kind) throws Exception {
    ScriptedModel model = ScriptedModel.of(ScriptedModel.fails(kind), ScriptedModel.says("Hello"));
    RetryingModel patient = patient(1, model);
    if (List.of(Kind.UNREACHABLE, Kind.RATE_LIMITED, Kind.OVERLOADED).contains(kind)) {
      assertThat(patient.complete(request, fixture).text()).isEqualTo("Hello");
    } else {
      assertThat(failure(patient).kind()).isEqualTo(kind);
      assertThat(model.requests()).hasSize(1);
    }
  }

  @Test
  void whatWasHeardIsNeverSaidTwice() {
    ScriptedModel model =
        ScriptedModel.of((asked, listener) -> {
          listener.token("Hel");
          throw new ModelFailedException(Kind.OVERLOADED, "it broke", null, null);
        });
    assertThat(failure(patient(5, model))).hasMessage("it broke");
    assertThat(fixture.heard).containsExactly("Hel");
  }

  @Test
  void waitsGrowToALimitAndAreRandom() {
    assertThat(RetryingModel.ceiling(0)).isEqualTo(RetryingModel.FIRST_WAIT);
    assertThat(RetryingModel.ceiling(1)).isEqualTo(RetryingModel.FIRST_WAIT.multipliedBy(2));
    assertThat(RetryingModel.ceiling(100)).isEqualTo(RetryingModel.LONGEST_WAIT);
    ScriptedModel.Act fails = ScriptedModel.fails(Kind.OVERLOADED);
    failure(patient(3, ScriptedModel.of(fails, fails, fails, fails)));
    assertThat(pauses).hasSize(3);
    for (int i = 0; i < pauses.size(); i++) {
      assertThat(pauses.get(i)).isLessThanOrEqualTo(RetryingModel.ceiling(i));
    }
    assertThat(pauses).doesNotHaveDuplicates();
  }

  @Test
  void aServerInTroubleIsLeftAloneAndThenTriedByOne() throws Exception {
    ScriptedModel.Act fails = ScriptedModel.fails(Kind.TIMED_OUT);
    ScriptedModel model =
        ScriptedModel.of(
            fails, fails, fails, fails, fails, ScriptedModel.says("a"), ScriptedModel.says("b"));
    RetryingModel patient = patient(0, model);
    for (int i = 0; i < CircuitBreaker.OPENS_AFTER; i++) {
      assertThat(failure(patient)).hasMessageContaining("was asked and failed");
    }
    assertThat(failure(patient)).hasMessageContaining("was not asked");
    fixture.time.put(CircuitBreaker.OPEN_FOR);
    assertThat(failure(patient)).hasMessageContaining("was not asked");
    fixture.time.put(Duration.ofDays(-1));
    fixture.time.advance(CircuitBreaker.OPEN_FOR);
    assertThat(breaker.admits()).isTrue();
    assertThat(failure(patient)).hasMessageContaining("was not asked");
    fixture.time.advance(CircuitBreaker.OPEN_FOR);
    assertThat(patient.complete(request, fixture).text()).isEqualTo("a");
    assertThat(patient.complete(request, fixture).text()).isEqualTo("b");
  }

  @Test
  void aFailureBetweenDoesNotOpenIt() throws Exception {
    ScriptedModel.Act fails = ScriptedModel.fails(Kind.TIMED_OUT);
    ScriptedModel model =
        ScriptedModel.of(
            fails, fails, fails, fails, ScriptedModel.says("a"), fails, ScriptedModel.says("b"));
    RetryingModel patient = patient(0, model);
    for (int i = 0; i < CircuitBreaker.OPENS_AFTER - 1; i++) {
      failure(patient);
    }
    patient.complete(request, fixture);
    failure(patient);
    assertThat(patient.complete(request, fixture).text()).isEqualTo("b");
  }

  @Test
  void aServerThatRefusesTheOneThatTriesItLives() throws Exception {
    ScriptedModel.Act fails = ScriptedModel.fails(Kind.TIMED_OUT);
    ScriptedModel model =
        ScriptedModel.of(
            fails,
            fails,
            fails,
            fails,
            fails,
            ScriptedModel.fails(Kind.REFUSED),
            ScriptedModel.says("a"));
    RetryingModel patient = patient(0, model);
    for (int i = 0; i < CircuitBreaker.OPENS_AFTER; i++) {
      failure(patient);
    }
    fixture.time.advance(CircuitBreaker.OPEN_FOR);
    assertThat(failure(patient).kind()).isEqualTo(Kind.REFUSED);
    assertThat(patient.complete(request, fixture).text()).isEqualTo("a");
  }

  @Test
  void refusalsOfOneRequestDoNotOpenIt() {
    ScriptedModel.Act refuses = ScriptedModel.fails(Kind.REFUSED);
    RetryingModel patient =
        patient(0, ScriptedModel.of(refuses, refuses, refuses, refuses, refuses, refuses));
    for (int i = 0; i <= CircuitBreaker.OPENS_AFTER; i++) {
      assertThat(failure(patient).kind()).isEqualTo(Kind.REFUSED);
    }
  }
}
