package joshua.thought;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stage that answers with a language model (REQ-FD-01): its input comes from {@link Cet}, it
 * reads data only through whitelisted queries (REQ-FD-10), and it streams the answer. A prompt that
 * asks for a plan gets the plan first, then its steps, one after the other (REQ-ADD-01).
 */
public final class Imperator {
  /** The maximum number of requests to the model per prompt, or per step of a plan. */
  static final int MAX_ROUNDS = 8;

  /** The maximum number of queries per prompt, all steps together. */
  static final int MAX_LOOKS = 24;

  /** The maximum number of queries per request of the model; further ones are dropped. */
  static final int MAX_LOOKS_A_ROUND = 8;

  /** Less room than this isn't useful. */
  static final int LEAST_ROOM = 200;

  private static final Logger log = LoggerFactory.getLogger(Imperator.class);

  private final LanguageModel languageModel;
  private final Cet cet;
  private final QueryWhitelist queryWhitelist;
  private final ModelLimits limits;

  public Imperator(
      LanguageModel languageModel, Cet cet, QueryWhitelist queryWhitelist, ModelLimits limits) {
    this.languageModel = languageModel;
    this.cet = cet;
    this.queryWhitelist = queryWhitelist;
    this.limits = limits;
  }

  ThoughtAnswer think(UserPrompt userPrompt, TokenListener listener)
      throws ThoughtFailedException, InterruptedException {
    StageDeadline stageDeadline = StageDeadline.in(limits.answer());
    PromptContext promptContext = cet.assemble(userPrompt);
    AnswerBuffer answerBuffer = new AnswerBuffer(listener);
    promptContext.remarks().forEach(answerBuffer::remark);
    ModelDialogue modelDialogue =
        new ModelDialogue(
            languageModel,
            queryWhitelist,
            limits,
            promptContext,
            userPrompt,
            answerBuffer,
            stageDeadline);
    boolean planned = StatedPlan.isAskedForBy(userPrompt.text());
    try {
      if (planned) {
        byPlan(modelDialogue, answerBuffer);
      } else {
        modelDialogue.converse();
      }
    } catch (ModelFailedException e) {
      throw new ThoughtFailedException(e);
    }
    return new ThoughtAnswer(
        answerBuffer.text(),
        StageName.IMPERATOR,
        planned ? "a prompt for the model, thought through by a plan" : "a prompt for the model",
        Optional.of(languageModel.name()),
        Optional.of(modelDialogue.usage()),
        modelDialogue.evidence(),
        answerBuffer.remarks());
  }

  private void byPlan(ModelDialogue modelDialogue, AnswerBuffer answerBuffer)
      throws ThoughtFailedException, ModelFailedException, InterruptedException {
    modelDialogue.tell(StatedPlan.REQUEST);
    modelDialogue.converse();
    StatedPlan statedPlan = StatedPlan.in(answerBuffer.text());
    if (statedPlan.steps().isEmpty()) {
      log.info("{} was asked for a plan and gave no numbered steps", languageModel.name());
      answerBuffer.remark("The model was asked for a plan and gave no numbered steps.");
      return;
    }
    if (statedPlan.leftOut() > 0) {
      answerBuffer.remarkAloud(
          "Of %d steps the first %d are carried out."
              .formatted(
                  statedPlan.steps().size() + statedPlan.leftOut(), statedPlan.steps().size()));
    }
    for (int i = 0; i < statedPlan.steps().size(); i++) {
      if (modelDialogue.room() < LEAST_ROOM) {
        answerBuffer.remarkAloud(
            "Steps %d to %d were not carried out: the model can't read more. Ask for them one by one, or set JOSHUA_MODEL_CONTEXT_TOKENS higher."
                .formatted(i + 1, statedPlan.steps().size()));
        return;
      }
      answerBuffer.newParagraph();
      answerBuffer.token(
          "Step %d of %d: %s"
              .formatted(i + 1, statedPlan.steps().size(), statedPlan.steps().get(i)));
      answerBuffer.newParagraph();
      modelDialogue.tell(statedPlan.request(i));
      modelDialogue.converse();
    }
  }
}
