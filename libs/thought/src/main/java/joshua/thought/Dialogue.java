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
 * model asks for, their results, and what all of it costs. Used by one thread.
 */
final class Dialogue {
  private static final Logger log = LoggerFactory.getLogger(Dialogue.class);
  private static final String NO_MORE =
      " (No more look-ups: answer now, with what you have, and say what you couldn't find out.)";

  private final Model model;
  private final Queries queries;
  private final ModelLimits limits;
  private final Prompt prompt;
  private final Spoken spoken;
  private final Deadline deadline;
  private final String system;
  private final Transcript transcript;
  private final List<Evidence> evidence;
  private Usage usage = Usage.NONE;
  private int looks;

  Dialogue(
      Model model,
      Queries queries,
      ModelLimits limits,
      Context context,
      Prompt prompt,
      Spoken spoken,
      Deadline deadline) {
    this.model = model;
    this.queries = queries;
    this.limits = limits;
    this.prompt = prompt;
    this.spoken = spoken;
    this.deadline = deadline;
    this.system = context.system();
    this.transcript = new Transcript(context.messages(), context.room());
    this.evidence = new ArrayList<>(context.state());
  }

  Usage usage() {
    return usage;
  }

  List<Evidence> evidence() {
    return List.copyOf(evidence);
  }

  /** Tokens that the model may still be given to read. */
  int room() {
    return transcript.room();
  }

  /** Adds to what the model was asked. */
  void tell(String text) {
    transcript.tell(text);
  }

  /** Asks the model, and lets it look things up, until it asks for nothing more. */
  void converse() throws ThoughtFailed, ModelFailed, InterruptedException {
    int before = spoken.length();
    for (int round = 1; ; round++) {
      if (!fits()) {
        breakOffFull(before);
        return;
      }
      Completion completion = complete();
      if (completion.toolRequests().isEmpty()) {
        spoken.remarkFinish(completion, model, limits.outputTokens());
        if (!completion.text().isBlank()) {
          transcript.add(new ModelMessage.Assistant(completion.text(), List.of()));
        }
        return;
      }
      if (round == Imperator.MAX_ROUNDS) {
        breakOff(before);
        return;
      }
      List<ToolRequest> wanted = bounded(completion.toolRequests());
      transcript.add(new ModelMessage.Assistant(completion.text(), wanted));
      spoken.working();
      boolean last = round == Imperator.MAX_ROUNDS - 1;
      for (int i = 0; i < wanted.size(); i++) {
        transcript.add(look(wanted.get(i), last && i == wanted.size() - 1));
      }
      spoken.newParagraph();
    }
  }

  private Completion complete() throws ThoughtFailed, ModelFailed, InterruptedException {
    if (deadline.isOver()) {
      throw new ThoughtFailed(
          "%s was asked for %s and hadn't finished after %d s. Ask for less at a time, or set JOSHUA_MODEL_ANSWER_TIMEOUT higher."
              .formatted(model.provider(), model.name(), limits.answer().toSeconds()));
    }
    Completion completion =
        model.complete(
            new ModelRequest(system, transcript.messages(), queries.specs(), deadline), spoken);
    usage = usage.plus(completion.usage());
    return completion;
  }

  /**
   * Whether what the model would read is within its budget, at worst without the oldest results.
   */
  private boolean fits() {
    if (transcript.leaveOut()) {
      spoken.remark("What was looked up first was left out again, for want of room.");
    }
    return transcript.room() >= 0;
  }

  /** The model has written more than it may read: what it said stands, with a remark. */
  private void breakOffFull(int before) throws ThoughtFailed, InterruptedException {
    String full =
        "%s can't read more than %d tokens. Ask for less at a time, or set JOSHUA_MODEL_CONTEXT_TOKENS higher."
            .formatted(model.name(), limits.contextTokens());
    log.warn("{} was given all that it may read for {}", model.name(), prompt.correlationId());
    if (spoken.length() == before) {
      throw new ThoughtFailed("There is no answer: " + full);
    }
    spoken.remarkAloud("The answer breaks off here: " + full);
  }

  /** The model asks on and on: what it said stands, with a remark; nothing said is a failure. */
  private void breakOff(int before) throws ThoughtFailed {
    String asked =
        "%s asked for queries %d times in a row".formatted(model.name(), Imperator.MAX_ROUNDS);
    log.warn("{} for {}", asked, prompt.correlationId());
    if (spoken.length() == before) {
      throw new ThoughtFailed(
          asked + " and gave no answer. Ask for something more definite, or choose another model.");
    }
    spoken.remark(asked + "; the last of them weren't run.");
  }

  private List<ToolRequest> bounded(List<ToolRequest> requests) {
    if (requests.size() <= Imperator.MAX_LOOKS_A_ROUND) {
      return requests;
    }
    log.warn(
        "{} asked for {} queries at once for {}; the first {} are looked at",
        model.name(),
        requests.size(),
        prompt.correlationId(),
        Imperator.MAX_LOOKS_A_ROUND);
    return requests.subList(0, Imperator.MAX_LOOKS_A_ROUND);
  }

  private ModelMessage look(ToolRequest request, boolean last) throws InterruptedException {
    looks++;
    String ending = last || looks == Imperator.MAX_LOOKS ? NO_MORE : "";
    if (looks > Imperator.MAX_LOOKS) {
      return refused(request, "too many queries for one prompt", NO_MORE);
    }
    if (transcript.room() < Imperator.LEAST_ROOM) {
      spoken.remark("Not all that the model wanted to look up had room.");
      return refused(request, "there is no room for what it would give", NO_MORE);
    }
    JsonNode arguments;
    try {
      arguments = request.arguments().isBlank() ? Json.object() : Json.parse(request.arguments());
    } catch (Json.Malformed e) {
      return refused(request, "the arguments' text " + e.getMessage(), ending);
    }
    return switch (queries.run(request.name(), arguments, prompt)) {
      case Queries.Outcome.Found found -> found(request, found, ending);
      case Queries.Outcome.Refused refused ->
          new ModelMessage.ToolResult(
              request, "Refused: " + refused.refusal().message() + "." + ending, true);
      case Queries.Outcome.Failed failed ->
          new ModelMessage.ToolResult(request, failed.message() + ending, true);
    };
  }

  /** One query's rows get half of the room at most: the next ones must have some, too. */
  private ModelMessage found(ToolRequest request, Queries.Outcome.Found found, String ending) {
    evidence.add(found.evidence());
    DataBlock block = DataBlock.of(found.evidence(), transcript.room() / 2);
    block.cut().ifPresent(spoken::remark);
    found.summary().caveats().forEach(spoken::remark);
    if (found.cut() > 0) {
      spoken.remark(
          "%s gave %d rows more than are shown.".formatted(found.evidence().query(), found.cut()));
    }
    return new ModelMessage.ToolResult(request, block.text() + ending, false);
  }

  private ModelMessage refused(ToolRequest request, String why, String ending) {
    log.warn(
        LogMarkers.QUOTES_OTHERS,
        "refused query {} of {} for {}: {}",
        Queries.printable(request.name()),
        prompt.correlationId(),
        prompt.requesterId(),
        why);
    return new ModelMessage.ToolResult(request, "Refused: " + why + "." + ending, true);
  }
}
