package joshua.testing.readers;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import joshua.thought.QuerySpec;
import joshua.thought.reading.IntentClassifier;
import joshua.thought.reading.TrainedModel;
import joshua.thought.reading.TrainingPhrases;

/**
 * A cross-validation of a MAD's phrases, each classified by a model trained on the others: figures
 * for choosing a threshold without looking at the questions used for measuring. It knows a phrase's
 * expected query, not the expected arguments.
 *
 * @param right answered by the expected query; or not answered, where no answer was expected
 * @param wrong answered by another query, or where no answer was expected
 * @param passedOn not answered, where an answer was expected
 */
public record CrossValidation(int right, int wrong, int passedOn) {
  /**
   * The number of parts into which {@link #crossValidate} divides the lines of the training
   * phrases.
   */
  static final int FOLDS = 5;

  public int all() {
    return right + wrong + passedOn;
  }

  public double percentRight() {
    return 100.0 * right / all();
  }

  public double percentWrong() {
    return 100.0 * wrong / all();
  }

  @Override
  public String toString() {
    return "%d phrasings, right %.1f %%, wrong %.1f %%, passed on %.1f %%"
        .formatted(all(), percentRight(), percentWrong(), 100.0 * passedOn / all());
  }

  /**
   * One result for each threshold: a fifth of the lines is held out at a time.
   *
   * @param folds how many of the fifths are held out; each costs a training
   */
  static Map<Double, CrossValidation> crossValidate(
      TrainingPhrases book,
      List<PhraseExample> examples,
      List<QuerySpec> specs,
      List<Double> thresholds,
      int folds) {
    Map<Double, CrossValidation> trials = new LinkedHashMap<>();
    thresholds.forEach(each -> trials.put(each, new CrossValidation(0, 0, 0)));
    for (int fold = 0; fold < folds; fold++) {
      List<PhraseExample> others = new ArrayList<>();
      List<PhraseExample> held = new ArrayList<>();
      for (PhraseExample each : examples) {
        (each.phrasing().line() % FOLDS == fold ? held : others).add(each);
      }
      TrainedModel trainedModel = TrainedModel.of(ModelTraining.lines(book, others));
      trials.replaceAll((threshold, crossValidation) ->
          crossValidation.plus(held, new IntentClassifier(trainedModel, book, specs, threshold)));
    }
    return trials;
  }

  private CrossValidation plus(List<PhraseExample> held, IntentClassifier intentClassifier) {
    CrossValidation sum = this;
    for (PhraseExample each : held) {
      String wanted = each.wanted();
      Optional<String> given =
          intentClassifier
              .judge(each.question(), each.features(), "somebody")
              .map(IntentClassifier.Verdict::name);
      sum = sum.plus(wanted, given);
    }
    return sum;
  }

  private CrossValidation plus(String wanted, Optional<String> given) {
    boolean none = wanted.equals(TrainingPhrases.NONE);
    if (given.isEmpty() ? none : given.get().equals(wanted)) {
      return new CrossValidation(right + 1, wrong, passedOn);
    }
    return given.isEmpty()
        ? new CrossValidation(right, wrong, passedOn + 1)
        : new CrossValidation(right, wrong + 1, passedOn);
  }
}
