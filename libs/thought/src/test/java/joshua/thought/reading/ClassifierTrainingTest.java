package joshua.thought.reading;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClassifierTrainingTest {
  private static final List<ClassifierTraining.Example> EXAMPLES =
      Stream.of(
              new ClassifierTraining.Example(
                  new SentenceFeatures(new float[] {1, 0}, List.of("how", "many")), "count"),
              new ClassifierTraining.Example(
                  new SentenceFeatures(new float[] {1, 0}, List.of("many")), "count"),
              new ClassifierTraining.Example(
                  new SentenceFeatures(new float[] {0, 1}, List.of("who", "how")), "who"),
              new ClassifierTraining.Example(
                  new SentenceFeatures(new float[] {0, 1}, List.of("who")), "who"))
          .toList();

  private static SoftmaxClassifier trained() {
    return ClassifierTraining.train(List.of("count", "who"), EXAMPLES);
  }

  @Test
  void learnsWhatTellsTheClassesApart() {
    for (ClassifierTraining.Example example : EXAMPLES) {
      SoftmaxClassifier.Guess guess = trained().guess(example.features());
      assertThat(guess.name()).isEqualTo(example.wanted());
      assertThat(guess.probability()).isBetween(0.9, 1.0);
    }
    assertThat(
            trained()
                .guess(new SentenceFeatures(new float[] {0, 0}, List.of("never")))
                .probability())
        .isLessThan(0.7);
  }

  @Test
  void givesTheSameWeightsEachTime() {
    assertThat(trained().distance(trained())).isZero();
    assertThat(
            ClassifierTraining.train(List.of("count", "who"), EXAMPLES.subList(0, 3))
                .distance(trained()))
        .isPositive();
  }

  @Test
  void forgetsWordsThatOccurOnce() {
    assertThat(trained().words().keySet()).containsExactly("how", "many", "who");
  }
}
