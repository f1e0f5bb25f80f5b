package joshua.thought.reading;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The classifier's features of a sentence: its embedding vector, and its words and word pairs.
 *
 * @param meaning the {@link TextEmbedder}'s vector of {@link #text}
 * @param words words, and pairs of words with a space between, each once
 */
@SuppressWarnings("ArrayRecordComponent") // made and read here, thousands of them
public record SentenceFeatures(float[] meaning, List<String> words) {
  /** Replaces an argument in the embedded text with what people would say. */
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

  /** The text to embed: names and ids don't matter, and times carry no information. */
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
