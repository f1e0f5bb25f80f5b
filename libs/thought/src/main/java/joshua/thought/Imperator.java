package joshua.thought;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stage that thinks with a language model (REQ-FD-01): it reads what {@link Cet} assembled,
 * looks things up by the whitelisted queries and by nothing else (REQ-FD-10), and says the answer
 * as it comes. A prompt that asks for a plan gets the plan first, then its steps, one after the
 * other (REQ-ADD-01).
 */
public final class Imperator {
  /** Requests to the model for one prompt, or for one step of a plan. */
  static final int MAX_ROUNDS = 8;

  /** Queries run for one prompt, all steps together. */
  static final int MAX_LOOKS = 24;

  /** Queries run for one request of the model; what it asks for beyond is dropped. */
  static final int MAX_LOOKS_A_ROUND = 8;

  /** Nothing useful fits into less. */
  static final int LEAST_ROOM = 200;

  private static final Logger log = LoggerFactory.getLogger(Imperator.class);

  private final Model model;
  private final Cet cet;
  private final Queries queries;
  private final ModelLimits limits;

  public Imperator(Model model, Cet cet, Queries queries, ModelLimits limits) {
    this.model = model;
    this.cet = cet;
    this.queries = queries;
    this.limits = limits;
  }

  Answer think(Prompt prompt, TokenListener listener) throws ThoughtFailed, InterruptedException {
    Deadline deadline = Deadline.in(limits.answer());
    Context context = cet.assemble(prompt);
    Spoken spoken = new Spoken(listener);
    context.remarks().forEach(spoken::remark);
    Dialogue dialogue = new Dialogue(model, queries, limits, context, prompt, spoken, deadline);
    boolean planned = Plan.isAskedForBy(prompt.text());
    try {
      if (planned) {
        byPlan(dialogue, spoken);
      } else {
        dialogue.converse();
      }
    } catch (ModelFailed e) {
      throw new ThoughtFailed(e);
    }
    return new Answer(
        spoken.text(),
        StageName.IMPERATOR,
        planned ? "a prompt for the model, thought through by a plan" : "a prompt for the model",
        Optional.of(model.name()),
        Optional.of(dialogue.usage()),
        dialogue.evidence(),
        spoken.remarks());
  }

  private void byPlan(Dialogue dialogue, Spoken spoken)
      throws ThoughtFailed, ModelFailed, InterruptedException {
    dialogue.tell(Plan.REQUEST);
    dialogue.converse();
    Plan plan = Plan.in(spoken.text());
    if (plan.steps().isEmpty()) {
      log.info("{} was asked for a plan and gave no numbered steps", model.name());
      spoken.remark("The model was asked for a plan and gave no numbered steps.");
      return;
    }
    if (plan.leftOut() > 0) {
      spoken.remarkAloud(
          "Of %d steps the first %d are carried out."
              .formatted(plan.steps().size() + plan.leftOut(), plan.steps().size()));
    }
    for (int i = 0; i < plan.steps().size(); i++) {
      if (dialogue.room() < LEAST_ROOM) {
        spoken.remarkAloud(
            "Steps %d to %d were not carried out: the model can't read more. Ask for them one by one, or set JOSHUA_MODEL_CONTEXT_TOKENS higher."
                .formatted(i + 1, plan.steps().size()));
        return;
      }
      spoken.newParagraph();
      spoken.token("Step %d of %d: %s".formatted(i + 1, plan.steps().size(), plan.steps().get(i)));
      spoken.newParagraph();
      dialogue.tell(plan.request(i));
      dialogue.converse();
    }
  }
}
