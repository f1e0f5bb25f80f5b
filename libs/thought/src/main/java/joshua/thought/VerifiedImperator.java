package joshua.thought;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.kernel.Json;
import joshua.kernel.LogMarkers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An Imperator that states nothing without evidence (+RG-16): the model's text is held back until
 * it is complete and verified. A wording that its rows don't support is dropped, and the rows are
 * shown instead; without rows it answers that it doesn't know.
 */
final class VerifiedImperator {
  private static final String NOTHING_LOOKED_UP =
      "I don't know: nothing was looked up for this, and without evidence I state nothing."
          + " \"help\" lists what can be asked.";
  private static final String NOTHING_FOUND =
      "I don't know more than this: no query that was run for it gave a row.";
  private static final Logger log = LoggerFactory.getLogger(VerifiedImperator.class);

  private final Imperator imperator;
  private final AnswerVerification answerVerification;
  private final QueryWhitelist queryWhitelist;

  VerifiedImperator(
      Imperator imperator, AnswerVerification answerVerification, QueryWhitelist queryWhitelist) {
    this.imperator = imperator;
    this.answerVerification = answerVerification;
    this.queryWhitelist = queryWhitelist;
  }

  ThoughtAnswer think(UserPrompt userPrompt, TokenListener listener)
      throws ThoughtFailedException, InterruptedException {
    ThoughtAnswer thoughtAnswer = imperator.think(userPrompt, withheld(listener));
    ThoughtAnswer checked = checked(thoughtAnswer, userPrompt);
    for (String line : checked.text().split("(?<=\n)", -1)) {
      if (!line.isEmpty()) {
        listener.token(line);
      }
    }
    return checked;
  }

  private static TokenListener withheld(TokenListener listener) {
    return new TokenListener() {
      @Override
      public void token(String text) {
        // The text is streamed once all of it has been verified.
      }

      @Override
      public void working() throws InterruptedException {
        listener.working();
      }
    };
  }

  private ThoughtAnswer checked(ThoughtAnswer thoughtAnswer, UserPrompt userPrompt) {
    if (thoughtAnswer.evidence().isEmpty()) {
      return instead(
          thoughtAnswer,
          "The model looked nothing up; its wording is left out.",
          NOTHING_LOOKED_UP);
    }
    if (thoughtAnswer.evidence().stream().allMatch(each -> each.rows().isEmpty())) {
      return instead(
          thoughtAnswer,
          "No query gave a row; the model's wording is left out.",
          NOTHING_FOUND + "\n" + rows(thoughtAnswer.evidence()));
    }
    Optional<String> unfounded =
        answerVerification.unfounded(withoutRemarks(thoughtAnswer), thoughtAnswer.evidence());
    if (unfounded.isEmpty()) {
      return thoughtAnswer;
    }
    String claim = QueryWhitelist.printable(unfounded.get());
    log.warn(
        LogMarkers.QUOTES_OTHERS,
        "the model's wording for {} is dropped: {}",
        userPrompt.correlationId(),
        claim);
    return instead(
        thoughtAnswer,
        "The model's wording is left out: it says \"%s\", which no row of its evidence holds."
            .formatted(claim),
        "The model's wording is left out: it says \"%s\", which no row holds. These are the rows:%n%s"
            .formatted(claim, rows(thoughtAnswer.evidence())));
  }

  /** Remarks are code's, not claims of the model. */
  private static String withoutRemarks(ThoughtAnswer thoughtAnswer) {
    String text = thoughtAnswer.text();
    for (String remark : thoughtAnswer.remarks()) {
      text = text.replace(remark, "");
    }
    return text;
  }

  private String rows(List<Evidence> evidence) {
    List<String> lines = new ArrayList<>();
    for (Evidence each : evidence) {
      List<String> columns =
          queryWhitelist.spec(each.query()).map(QuerySpec::columns).orElse(List.of());
      String readAs =
          each.arguments().isEmpty()
              ? each.query()
              : each.query() + " " + Json.write(each.arguments());
      lines.addAll(AnswerRendering.lines(readAs, columns, each, 0));
    }
    return String.join("\n", AnswerRendering.bounded(lines));
  }

  private static ThoughtAnswer instead(ThoughtAnswer thoughtAnswer, String remark, String text) {
    List<String> remarks = new ArrayList<>(thoughtAnswer.remarks());
    remarks.add(remark);
    return new ThoughtAnswer(
        text,
        thoughtAnswer.stage(),
        thoughtAnswer.readAs(),
        thoughtAnswer.model(),
        thoughtAnswer.usage(),
        thoughtAnswer.evidence(),
        remarks);
  }
}
