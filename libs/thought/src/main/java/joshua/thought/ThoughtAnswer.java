package joshua.thought;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import joshua.kernel.Json;

/**
 * One complete answer.
 *
 * @param text the streamed tokens, joined
 * @param readAs how the prompt was read
 * @param model the model's name, if one answered
 * @param evidence the queries run, in order
 * @param remarks what the asker must know of the answer: what was cut, that it broke off
 */
public record ThoughtAnswer(
    String text,
    StageName stage,
    String readAs,
    Optional<String> model,
    Optional<AnswerUsage> usage,
    List<Evidence> evidence,
    List<String> remarks) {
  public ThoughtAnswer {
    evidence = List.copyOf(evidence);
    remarks = List.copyOf(remarks);
  }

  /** The {@code result_payload} of wire contract §3, with {@code remarks} if there are any. */
  public ObjectNode payload() {
    ObjectNode payload =
        Json.object()
            .put("text", text)
            .put("stage", stage.wireName())
            .put("read_as", readAs)
            .put("model", model.orElse(null));
    payload.set("usage", usage.map(AnswerUsage::payload).orElse(null));
    ArrayNode list = payload.putArray("evidence");
    evidence.forEach(each -> list.add(each.payload()));
    if (!remarks.isEmpty()) {
      ArrayNode said = payload.putArray("remarks");
      remarks.forEach(said::add);
    }
    return payload;
  }
}
