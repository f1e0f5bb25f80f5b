package joshua.tasks.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import joshua.network.ToolAnnotations;
import joshua.network.ToolSpec;

/** The descriptions of the tools that Fiedler and Rogers share (wire contract §3). */
final class ToolSpecs {
  private final String name;
  private final String mad;

  /** The descriptions for a MAD, {@code fiedler} for instance. */
  ToolSpecs(String name) {
    this.name = name;
    this.mad = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }

  List<ToolSpec> all() {
    return List.of(converse(), status(), list(), cancel(), stream());
  }

  ToolSpec converse() {
    return new ToolSpec(
        name + "_converse",
        "Ask " + mad,
        "Asks "
            + mad
            + " in plain words. Answers at once with a task_id; the work goes on by itself, its"
            + " tokens are published on stream_topic, and requester_id gets a notification at the"
            + " end. wait: true waits for the text instead. The same idempotency_key again is the"
            + " same task, not another one. offline says whether it may be answered without a language"
            + " model: auto where it clearly can, never, or only so.",
        TaskSchemas.of(
            """
            {"type":"object","additionalProperties":false,"required":["prompt","requester_id"],"properties":{
              "prompt":{"type":"string","minLength":1},
              "requester_id":"@id",
              "conversation_id":"@uuidOrNull",
              "correlation_id":"@uuidOrNull",
              "idempotency_key":{"anyOf":[{"type":"string","minLength":1,"maxLength":128},{"type":"null"}]},
              "wait":{"type":"boolean"},
              "offline":{"enum":["auto","never","only",null]}}}\
            """),
        ACCEPTED,
        new ToolAnnotations(false, false, false, true));
  }

  /** The answer of a tool that submits a task. */
  static final ObjectNode ACCEPTED =
      TaskSchemas.of(
          """
          {"type":"object","required":["status","task_id","stream_topic"],"properties":{
            "status":{"enum":["pending","completed"]},
            "task_id":{"type":"string","format":"uuid"},
            "stream_topic":{"type":"string"},
            "conversation_id":{"type":"string","format":"uuid"},
            "correlation_id":{"type":"string","format":"uuid"},
            "result":{"type":"object"}}}\
          """);

  ToolSpec status() {
    return new ToolSpec(
        name + "_get_task_status",
        "A task's state",
        "Returns a task's full state: PENDING, RUNNING, STREAMING, COMPLETED with its"
            + " result_payload, or FAILED with its error_details.",
        ofTask(""),
        TaskSchemas.of(
            """
            {"type":"object","required":["task_id","status","prompt","result_payload","error_details","created_at","updated_at"],"properties":{
              "task_id":{"type":"string","format":"uuid"},
              "status":"@state",
              "prompt":{"type":"string"},
              "result_payload":"@objectOrNull",
              "error_details":"@objectOrNull",
              "requester_id":{"type":"string"},
              "kind":{"enum":["work","question"]},
              "attempt":{"type":"integer"},
              "conversation_id":{"type":"string","format":"uuid"},
              "correlation_id":{"type":"string","format":"uuid"},
              "created_at":{"type":"string"},
              "updated_at":{"type":"string"}}}\
            """),
        new ToolAnnotations(true, false, true, false));
  }

  ToolSpec list() {
    return new ToolSpec(
        name + "_list_tasks",
        "List tasks",
        "Lists tasks, newest first, with the beginning of their prompts: work, unless kind asks for"
            + " the questions that were answered without a model, or for all. id_prefix finds a task"
            + " by the beginning of its id. next is the before of the following page; null: there are"
            + " no more.",
        TaskSchemas.of(
            """
            {"type":"object","additionalProperties":false,"properties":{
              "requester_id":"@idOrNull",
              "status":"@stateOrNull",
              "kind":{"enum":["work","question","all",null]},
              "id_prefix":"@uuidPrefixOrNull",
              "limit":{"anyOf":[{"type":"integer","minimum":1,"maximum":200},{"type":"null"}]},
              "before":"@uuidOrNull"}}\
            """),
        TaskSchemas.of(
            """
            {"type":"object","required":["status","tasks","next"],"properties":{
              "status":{"const":"success"},
              "tasks":{"type":"array","items":{"type":"object"}},
              "next":{"anyOf":[{"type":"string"},{"type":"null"}]}}}\
            """),
        new ToolAnnotations(true, false, true, false));
  }

  ToolSpec cancel() {
    return new ToolSpec(
        name + "_cancel_task",
        "Cancel a task",
        "Ends a task, which becomes FAILED: at once if nobody runs it yet, else as soon as its work"
            + " is interrupted. One that has ended is a conflict.",
        ofTask(""),
        TaskSchemas.of(
            """
            {"type":"object","required":["status","task_id","task_status"],"properties":{
              "status":{"const":"success"},
              "task_id":{"type":"string","format":"uuid"},
              "task_status":"@state"}}\
            """),
        new ToolAnnotations(false, true, true, false));
  }

  ToolSpec stream() {
    return new ToolSpec(
        name + "_get_stream",
        "A task's stream",
        "Returns what a task has streamed in its latest attempt, as it was published; joined, the"
            + " tokens are its text. If final is false there is more, now or later: ask again from"
            + " the next sequence; wait_ms waits for it.",
        ofTask(
            ",\"from_sequence\":{\"type\":\"integer\",\"minimum\":0},\"wait_ms\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":25000}"),
        TaskSchemas.of(
            """
            {"type":"object","required":["status","attempt","frames","final"],"properties":{
              "status":{"const":"success"},
              "attempt":{"type":"integer"},
              "frames":{"type":"array","items":{"type":"object"}},
              "final":{"type":"boolean"}}}\
            """),
        new ToolAnnotations(true, false, true, false));
  }

  private static ObjectNode ofTask(String more) {
    return TaskSchemas.of(
        """
        {"type":"object","additionalProperties":false,"required":["task_id"],"properties":{
          "task_id":"@uuid"%s}}\
        """
            .formatted(more));
  }
}
