package joshua.thought.reading;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the classifier sees of a sentence: the vector of its meaning, and its words and pairs of
 * words.
 *
 * @param meaning what an {@link TextEmbedder} makes of {@link #text}
 * @param words words, and pairs of words with a space between, each once
 */
@SuppressWarnings("ArrayRecordComponent") // made and read here, thousands of them
record SentenceFeatures(float[] meaning, List<String> words) {
  /** What stands for an argument in the text that is embedded: as people would say it. */
  private static final Map<String, String> SPOKEN =
      Map.of("<id>", "7", "<who>", "someone", "<count>", "five", "<channel>", "the news");

  static SentenceFeatures of(
      TokenizedQuestion tokenizedQuestion,
      ExtractedEntities extractedEntities,
      TextEmbedder textEmbedder)
      throws InterruptedException {
    return new SentenceFeatures(
        textEmbedder.embed(text(tokenizedQuestion)), words(tokenizedQuestion, extractedEntities));
  }

  /** The text that is embedded: names and ids don't matter, times tell nothing. */
  static String text(TokenizedQuestion tokenizedQuestion) {
    List<String> spoken = new ArrayList<>();
    for (String word : tokenizedQuestion.words()) {
      if (!word.equals("<time>")) {
        spoken.add(SPOKEN.getOrDefault(word, word));
      }
    }
    return String.join(" ", spoken);
  }

  private static List<String> words(
      TokenizedQuestion tokenizedQuestion, ExtractedEntities extractedEntities) {
    Set<String> words = new LinkedHashSet<>();
    extractedEntities.statuses().stream().sorted().forEach(each -> words.add("<" + each + ">"));
    extractedEntities.values().stream()
        .filter(each -> !each.argument().equals(NamedValues.CHANNEL_ARGUMENT))
        .map(each -> "<" + each.value() + ">")
        .sorted()
        .forEach(words::add);
    if (extractedEntities.moment().isPresent()) {
      words.add("<moment>");
    }
    if (extractedEntities.asker() == AskerWords.YES) {
      words.add("<asker>");
    }
    String before = "^";
    for (String word : tokenizedQuestion.words()) {
      if (word.equals("<time>")) {
        words.add(word);
        continue;
      }
      words.add(word);
      words.add(before + " " + word);
      before = word;
    }
    words.add(before + " $");
    return new ArrayList<>(words);
  }
}
