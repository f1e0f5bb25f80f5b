package joshua.testing.readers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import joshua.thought.reading.SentenceFeatures;
import joshua.thought.reading.SoftmaxClassifier;
import joshua.thought.reading.TrainedModel;
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

  private static List<String> trained(List<ClassifierTraining.Example> examples) {
    return ClassifierTraining.train(List.of("count", "who"), examples);
  }

  @Test
  void learnsWhatTellsTheClassesApart() {
    SoftmaxClassifier trained = TrainedModel.of(trained(EXAMPLES)).classifier();
    for (ClassifierTraining.Example example : EXAMPLES) {
      SoftmaxClassifier.Guess guess = trained.guess(example.features());
      assertThat(guess.name()).isEqualTo(example.wanted());
      assertThat(guess.probability()).isBetween(0.9, 1.0);
    }
    assertThat(
            trained.guess(new SentenceFeatures(new float[] {0, 0}, List.of("never"))).probability())
        .isLessThan(0.7);
  }

  @Test
  void givesTheSameWeightsEachTime() {
    assertThat(ModelTraining.distance(trained(EXAMPLES), trained(EXAMPLES))).isZero();
    assertThat(ModelTraining.distance(trained(EXAMPLES.subList(0, 3)), trained(EXAMPLES)))
        .isPositive();
  }

  @Test
  void forgetsWordsThatOccurOnce() {
    assertThat(trained(EXAMPLES).stream().filter(line -> line.startsWith("word\t")))
        .extracting(line -> line.split("\t", 3)[1])
        .containsExactly("how", "many", "who");
  }
}
