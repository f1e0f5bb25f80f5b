package joshua.thought;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import joshua.kernel.Json;
import joshua.kernel.LogMarkers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exchange between the Imperator and its model for one prompt: requests, the queries that the
 * model asks for, their results, and the total cost. Used by one thread.
 */
final class ModelDialogue {
  private static final Logger log = LoggerFactory.getLogger(ModelDialogue.class);
  private static final String NO_MORE =
      " (No more look-ups: answer now, with what you have, and say what you couldn't find out.)";

  private final LanguageModel languageModel;
  private final QueryWhitelist queryWhitelist;
  private final ModelLimits limits;
  private final UserPrompt userPrompt;
  private final AnswerBuffer answerBuffer;
  private final StageDeadline stageDeadline;
  private final String system;
  private final ModelTranscript modelTranscript;
  private final List<Evidence> evidence;
  private AnswerUsage answerUsage = AnswerUsage.NONE;
  private int looks;

  ModelDialogue(
      LanguageModel languageModel,
      QueryWhitelist queryWhitelist,
      ModelLimits limits,
      PromptContext promptContext,
      UserPrompt userPrompt,
      AnswerBuffer answerBuffer,
      StageDeadline stageDeadline) {
    this.languageModel = languageModel;
    this.queryWhitelist = queryWhitelist;
    this.limits = limits;
    this.userPrompt = userPrompt;
    this.answerBuffer = answerBuffer;
    this.stageDeadline = stageDeadline;
    this.system = promptContext.system();
    this.modelTranscript = new ModelTranscript(promptContext.messages(), promptContext.room());
    this.evidence = new ArrayList<>(promptContext.state());
  }

  AnswerUsage usage() {
    return answerUsage;
  }

  List<Evidence> evidence() {
    return List.copyOf(evidence);
  }

  /** The number of tokens that the model's input may still grow by. */
  int room() {
    return modelTranscript.room();
  }

  /** Adds to the model's input. */
  void tell(String text) {
    modelTranscript.tell(text);
  }

  /** Asks the model and runs its queries until it asks for no more. */
  void converse() throws ThoughtFailedException, ModelFailedException, InterruptedException {
    int before = answerBuffer.length();
    for (int round = 1; ; round++) {
      if (!fits()) {
        breakOffFull(before);
        return;
      }
      ModelCompletion modelCompletion = complete();
      if (modelCompletion.toolRequests().isEmpty()) {
        answerBuffer.remarkFinish(modelCompletion, languageModel, limits.outputTokens());
        if (!modelCompletion.text().isBlank()) {
          modelTranscript.add(new ModelMessage.Assistant(modelCompletion.text(), List.of()));
        }
        return;
      }
      if (round == Imperator.MAX_ROUNDS) {
        breakOff(before);
        return;
      }
      List<ToolRequest> wanted = bounded(modelCompletion.toolRequests());
      modelTranscript.add(new ModelMessage.Assistant(modelCompletion.text(), wanted));
      answerBuffer.working();
      boolean last = round == Imperator.MAX_ROUNDS - 1;
      for (int i = 0; i < wanted.size(); i++) {
        modelTranscript.add(look(wanted.get(i), last && i == wanted.size() - 1));
      }
      answerBuffer.newParagraph();
    }
  }

  private ModelCompletion complete()
      throws ThoughtFailedException, ModelFailedException, InterruptedException {
    if (stageDeadline.isOver()) {
      throw new ThoughtFailedException(
          "%s was asked for %s and hadn't finished after %d s. Ask for less at a time, or set JOSHUA_MODEL_ANSWER_TIMEOUT higher."
              .formatted(
                  languageModel.provider(), languageModel.name(), limits.answer().toSeconds()));
    }
    ModelCompletion modelCompletion =
        languageModel.complete(
            new ModelRequest(
                system, modelTranscript.messages(), queryWhitelist.specs(), stageDeadline),
            answerBuffer);
    answerUsage = answerUsage.plus(modelCompletion.usage());
    return modelCompletion;
  }

  /**
   * Whether the model's input is within its budget, if necessary after dropping the oldest results.
   */
  private boolean fits() {
    if (modelTranscript.leaveOut()) {
      answerBuffer.remark("What was looked up first was left out again, for want of room.");
    }
    return modelTranscript.room() >= 0;
  }

  /** The model's output exceeds its input budget: its text so far is kept, with a remark. */
  private void breakOffFull(int before) throws ThoughtFailedException, InterruptedException {
    String full =
        "%s can't read more than %d tokens. Ask for less at a time, or set JOSHUA_MODEL_CONTEXT_TOKENS higher."
            .formatted(languageModel.name(), limits.contextTokens());
    log.warn(
        "{} was given all that it may read for {}",
        languageModel.name(),
        userPrompt.correlationId());
    if (answerBuffer.length() == before) {
      throw new ThoughtFailedException("There is no answer: " + full);
    }
    answerBuffer.remarkAloud("The answer breaks off here: " + full);
  }

  /**
   * The model doesn't stop asking: its text so far is kept, with a remark; no text is a failure.
   */
  private void breakOff(int before) throws ThoughtFailedException {
    String asked =
        "%s asked for queries %d times in a row"
            .formatted(languageModel.name(), Imperator.MAX_ROUNDS);
    log.warn("{} for {}", asked, userPrompt.correlationId());
    if (answerBuffer.length() == before) {
      throw new ThoughtFailedException(
          asked + " and gave no answer. Ask for something more definite, or choose another model.");
    }
    answerBuffer.remark(asked + "; the last of them weren't run.");
  }

  private List<ToolRequest> bounded(List<ToolRequest> requests) {
    if (requests.size() <= Imperator.MAX_LOOKS_A_ROUND) {
      return requests;
    }
    log.warn(
        "{} asked for {} queries at once for {}; the first {} are looked at",
        languageModel.name(),
        requests.size(),
        userPrompt.correlationId(),
        Imperator.MAX_LOOKS_A_ROUND);
    return requests.subList(0, Imperator.MAX_LOOKS_A_ROUND);
  }

  private ModelMessage look(ToolRequest request, boolean last) throws InterruptedException {
    looks++;
    String ending = last || looks == Imperator.MAX_LOOKS ? NO_MORE : "";
    if (looks > Imperator.MAX_LOOKS) {
      return refused(request, "too many queries for one prompt", NO_MORE);
    }
    if (modelTranscript.room() < Imperator.LEAST_ROOM) {
      answerBuffer.remark("Not all that the model wanted to look up had room.");
      return refused(request, "there is no room for what it would give", NO_MORE);
    }
    JsonNode arguments;
    try {
      arguments = request.arguments().isBlank() ? Json.object() : Json.parse(request.arguments());
    } catch (Json.MalformedJsonException e) {
      return refused(request, "the arguments' text " + e.getMessage(), ending);
    }
    return switch (queryWhitelist.run(request.name(), arguments, userPrompt)) {
      case QueryWhitelist.Outcome.Found found -> found(request, found, ending);
      case QueryWhitelist.Outcome.Refused refused ->
          new ModelMessage.ToolResult(
              request, "Refused: " + refused.refusal().message() + "." + ending, true);
      case QueryWhitelist.Outcome.Failed failed ->
          new ModelMessage.ToolResult(request, failed.message() + ending, true);
    };
  }

  /** One query's rows get at most half of the room, so that later ones have some, too. */
  private ModelMessage found(
      ToolRequest request, QueryWhitelist.Outcome.Found found, String ending) {
    evidence.add(found.evidence());
    DataBlock block = DataBlock.of(found.evidence(), modelTranscript.room() / 2);
    block.cut().ifPresent(answerBuffer::remark);
    found.summary().caveats().forEach(answerBuffer::remark);
    if (found.cut() > 0) {
      answerBuffer.remark(
          "%s gave %d rows more than are shown.".formatted(found.evidence().query(), found.cut()));
    }
    return new ModelMessage.ToolResult(request, block.text() + ending, false);
  }

  private ModelMessage refused(ToolRequest request, String why, String ending) {
    log.warn(
        LogMarkers.QUOTES_OTHERS,
        "refused query {} of {} for {}: {}",
        QueryWhitelist.printable(request.name()),
        userPrompt.correlationId(),
        userPrompt.requesterId(),
        why);
    return new ModelMessage.ToolResult(request, "Refused: " + why + "." + ending, true);
  }
}
