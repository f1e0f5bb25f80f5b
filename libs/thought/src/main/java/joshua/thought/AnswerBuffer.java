package joshua.thought;

import java.util.ArrayList;
import java.util.List;

/** The text of one answer so far, as it was streamed, and remarks on it. */
final class AnswerBuffer implements TokenListener {
  private final TokenListener listener;
  private final StringBuilder text = new StringBuilder();
  private final List<String> remarks = new ArrayList<>();
  private boolean paragraphDue;

  AnswerBuffer(TokenListener listener) {
    this.listener = listener;
  }

  @Override
  public void token(String token) throws InterruptedException {
    if (token.isEmpty()) {
      return;
    }
    String piece = paragraphDue && !text.isEmpty() ? "\n\n" + token : token;
    paragraphDue = false;
    text.append(piece);
    listener.token(piece);
  }

  @Override
  public void working() throws InterruptedException {
    listener.working();
  }

  /** The next token begins a paragraph, if there is text before it. */
  void newParagraph() {
    paragraphDue = true;
  }

  /** Adds something that the asker must know, without streaming it. */
  void remark(String sentence) {
    if (!remarks.contains(sentence)) {
      remarks.add(sentence);
    }
  }

  /** Adds something that the asker must know, and streams it as a paragraph of its own. */
  void remarkAloud(String sentence) throws InterruptedException {
    remark(sentence);
    newParagraph();
    token("(" + sentence + ")");
    newParagraph();
  }

  /** Adds what a model's finish reason means for the answer; without any text it is a failure. */
  void remarkFinish(ModelCompletion modelCompletion, LanguageModel languageModel, int outputTokens)
      throws ThoughtFailedException, InterruptedException {
    if (text.toString().isBlank()) {
      throw empty(modelCompletion.finish(), languageModel, outputTokens);
    }
    switch (modelCompletion.finish()) {
      case DONE, TOOLS -> {}
      case LENGTH ->
          remarkAloud(
              "The answer breaks off here: %s reached its limit of %d tokens a request. Ask for the rest, or set JOSHUA_MODEL_OUTPUT_TOKENS higher."
                  .formatted(languageModel.name(), outputTokens));
      case FILTERED ->
          remarkAloud(
              "The answer breaks off here: %s kept the rest back by its content filter."
                  .formatted(languageModel.provider()));
    }
  }

  private static ThoughtFailedException empty(
      ModelCompletion.Finish finish, LanguageModel languageModel, int outputTokens) {
    String how =
        switch (finish) {
          case DONE, TOOLS -> "answered with no text at all. Ask again, or put it in other words.";
          case LENGTH ->
              "reached its limit of %d tokens a request before any text. Ask for less at a time, or set JOSHUA_MODEL_OUTPUT_TOKENS higher."
                  .formatted(outputTokens);
          case FILTERED ->
              "kept its whole answer back by its content filter. Put it in other words.";
        };
    return new ThoughtFailedException(
        "%s was asked for %s and %s"
            .formatted(languageModel.provider(), languageModel.name(), how));
  }

  int length() {
    return text.length();
  }

  String text() {
    return text.toString();
  }

  String textFrom(int start) {
    return text.substring(start);
  }

  List<String> remarks() {
    return List.copyOf(remarks);
  }
}
