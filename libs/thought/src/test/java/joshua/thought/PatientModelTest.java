package joshua.thought;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import joshua.thought.ModelFailed.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PatientModelTest {
  private static final long SEED = 11;

  private final Bench bench = new Bench();
  private final List<Duration> pauses = new ArrayList<>();
  private final CircuitBreaker breaker = new CircuitBreaker(bench.time::nanoTime);
  private final ModelRequest request =
      new ModelRequest("", List.of(), List.of(), Deadline.in(Duration.ofHours(1)));

  private PatientModel patient(int retries, ScriptedModel model) {
    return new PatientModel(model, retries, breaker, pauses::add, new Random(SEED));
  }

  private ModelFailed failure(PatientModel model) {
    ModelFailed failed =
        catchThrowableOfType(ModelFailed.class, () -> model.complete(request, bench));
    assertThat(failed).isNotNull();
    return failed;
  }

  @ParameterizedTest
  @EnumSource
  void onlyWhatPassesIsTriedAgain(Kind kind) throws Exception {
    ScriptedModel model = ScriptedModel.of(ScriptedModel.fails(kind), ScriptedModel.says("Hello"));
    PatientModel patient = patient(1, model);
    if (List.of(Kind.UNREACHABLE, Kind.RATE_LIMITED, Kind.OVERLOADED).contains(kind)) {
      assertThat(patient.complete(request, bench).text()).isEqualTo("Hello");
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
          throw new ModelFailed(Kind.OVERLOADED, "it broke", null, null);
        });
    assertThat(failure(patient(5, model))).hasMessage("it broke");
    assertThat(bench.heard).containsExactly("Hel");
  }

  @Test
  void waitsGrowToALimitAndAreRandom() {
    assertThat(PatientModel.ceiling(0)).isEqualTo(PatientModel.FIRST_WAIT);
    assertThat(PatientModel.ceiling(1)).isEqualTo(PatientModel.FIRST_WAIT.multipliedBy(2));
    assertThat(PatientModel.ceiling(100)).isEqualTo(PatientModel.LONGEST_WAIT);
    ScriptedModel.Act fails = ScriptedModel.fails(Kind.OVERLOADED);
    failure(patient(3, ScriptedModel.of(fails, fails, fails, fails)));
    assertThat(pauses).hasSize(3);
    for (int i = 0; i < pauses.size(); i++) {
      assertThat(pauses.get(i)).isLessThanOrEqualTo(PatientModel.ceiling(i));
    }
    assertThat(pauses).doesNotHaveDuplicates();
  }

  @Test
  void aServerInTroubleIsLeftAloneAndThenTriedByOne() throws Exception {
    ScriptedModel.Act fails = ScriptedModel.fails(Kind.TIMED_OUT);
    ScriptedModel model =
        ScriptedModel.of(
            fails, fails, fails, fails, fails, ScriptedModel.says("a"), ScriptedModel.says("b"));
    PatientModel patient = patient(0, model);
    for (int i = 0; i < CircuitBreaker.OPENS_AFTER; i++) {
      assertThat(failure(patient)).hasMessageContaining("was asked and failed");
    }
    assertThat(failure(patient)).hasMessageContaining("was not asked");
    bench.time.put(CircuitBreaker.OPEN_FOR);
    assertThat(failure(patient)).hasMessageContaining("was not asked");
    bench.time.put(Duration.ofDays(-1));
    bench.time.advance(CircuitBreaker.OPEN_FOR);
    assertThat(breaker.admits()).isTrue();
    assertThat(failure(patient)).hasMessageContaining("was not asked");
    bench.time.advance(CircuitBreaker.OPEN_FOR);
    assertThat(patient.complete(request, bench).text()).isEqualTo("a");
    assertThat(patient.complete(request, bench).text()).isEqualTo("b");
  }

  @Test
  void aFailureBetweenDoesNotOpenIt() throws Exception {
    ScriptedModel.Act fails = ScriptedModel.fails(Kind.TIMED_OUT);
    ScriptedModel model =
        ScriptedModel.of(
            fails, fails, fails, fails, ScriptedModel.says("a"), fails, ScriptedModel.says("b"));
    PatientModel patient = patient(0, model);
    for (int i = 0; i < CircuitBreaker.OPENS_AFTER - 1; i++) {
      failure(patient);
    }
    patient.complete(request, bench);
    failure(patient);
    assertThat(patient.complete(request, bench).text()).isEqualTo("b");
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
    PatientModel patient = patient(0, model);
    for (int i = 0; i < CircuitBreaker.OPENS_AFTER; i++) {
      failure(patient);
    }
    bench.time.advance(CircuitBreaker.OPEN_FOR);
    assertThat(failure(patient).kind()).isEqualTo(Kind.REFUSED);
    assertThat(patient.complete(request, bench).text()).isEqualTo("a");
  }

  @Test
  void refusalsOfOneRequestDoNotOpenIt() {
    ScriptedModel.Act refuses = ScriptedModel.fails(Kind.REFUSED);
    PatientModel patient =
        patient(0, ScriptedModel.of(refuses, refuses, refuses, refuses, refuses, refuses));
    for (int i = 0; i <= CircuitBreaker.OPENS_AFTER; i++) {
      assertThat(failure(patient).kind()).isEqualTo(Kind.REFUSED);
    }
  }
}
