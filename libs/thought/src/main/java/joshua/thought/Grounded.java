package joshua.thought;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.kernel.Json;
import joshua.kernel.LogMarkers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An Imperator that states nothing without evidence (+RG-16): what its model says is held back
 * until it is whole and looked at. A wording that its rows don't bear out is dropped, and the rows
 * are shown instead; without rows it says that it doesn't know.
 */
final class Grounded {
  private static final String NOTHING_LOOKED_UP =
      "I don't know: nothing was looked up for this, and without evidence I state nothing."
          + " \"help\" lists what can be asked.";
  private static final String NOTHING_FOUND =
      "I don't know more than this: no query that was run for it gave a row.";
  private static final Logger log = LoggerFactory.getLogger(Grounded.class);

  private final Imperator imperator;
  private final Grounding grounding;
  private final Queries queries;

  Grounded(Imperator imperator, Grounding grounding, Queries queries) {
    this.imperator = imperator;
    this.grounding = grounding;
    this.queries = queries;
  }

  Answer think(Prompt prompt, TokenListener listener) throws ThoughtFailed, InterruptedException {
    Answer answer = imperator.think(prompt, withheld(listener));
    Answer checked = checked(answer, prompt);
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
        // Said when all of it has been looked at.
      }

      @Override
      public void working() throws InterruptedException {
        listener.working();
      }
    };
  }

  private Answer checked(Answer answer, Prompt prompt) {
    if (answer.evidence().isEmpty()) {
      return instead(
          answer, "The model looked nothing up; its wording is left out.", NOTHING_LOOKED_UP);
    }
    if (answer.evidence().stream().allMatch(each -> each.rows().isEmpty())) {
      return instead(
          answer,
          "No query gave a row; the model's wording is left out.",
          NOTHING_FOUND + "\n" + rows(answer.evidence()));
    }
    Optional<String> unfounded = grounding.unfounded(withoutRemarks(answer), answer.evidence());
    if (unfounded.isEmpty()) {
      return answer;
    }
    String claim = Queries.printable(unfounded.get());
    log.warn(
        LogMarkers.QUOTES_OTHERS,
        "the model's wording for {} is dropped: {}",
        prompt.correlationId(),
        claim);
    return instead(
        answer,
        "The model's wording is left out: it says \"%s\", which no row of its evidence holds."
            .formatted(claim),
        "The model's wording is left out: it says \"%s\", which no row holds. These are the rows:%n%s"
            .formatted(claim, rows(answer.evidence())));
  }

  /** What code said about the answer was no claim of the model's. */
  private static String withoutRemarks(Answer answer) {
    String text = answer.text();
    for (String remark : answer.remarks()) {
      text = text.replace(remark, "");
    }
    return text;
  }

  private String rows(List<Evidence> evidence) {
    List<String> lines = new ArrayList<>();
    for (Evidence each : evidence) {
      List<String> columns = queries.spec(each.query()).map(QuerySpec::columns).orElse(List.of());
      String readAs =
          each.arguments().isEmpty()
              ? each.query()
              : each.query() + " " + Json.write(each.arguments());
      lines.addAll(Rendering.lines(readAs, columns, each, 0));
    }
    return String.join("\n", Rendering.bounded(lines));
  }

  private static Answer instead(Answer answer, String remark, String text) {
    List<String> remarks = new ArrayList<>(answer.remarks());
    remarks.add(remark);
    return new Answer(
        text,
        answer.stage(),
        answer.readAs(),
        answer.model(),
        answer.usage(),
        answer.evidence(),
        remarks);
  }
}
