package joshua.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** The requester of a task: asks Fiedler, and is notified of the end through Grace. */
record TaskRequester(String name, FrameSocketClient grace) {
  /** A requester that from here on receives messages sent to it. */
  static TaskRequester on(GroupUnderTest groupUnderTest, String name) {
    TaskRequester taskRequester = new TaskRequester(name, groupUnderTest.client());
    taskRequester.grace.subscribe(name, taskRequester.channel());
    return taskRequester;
  }

  private String channel() {
    return "mad.direct." + name;
  }

  /** Begins a task; its id. */
  String ask(TaskReader reader) {
    return reader
        .fiedler()
        .call(
            "fiedler_converse",
            "{'prompt':'write a long poem','requester_id':'%s'}".formatted(name))
        .path("task_id")
        .asText();
  }

  /** Whether Grace publishes and receives: messages sent to this requester then arrive. */
  boolean hearsItself() {
    grace.send(name, channel(), "{'probe':true}");
    return !grace.poll(name).path("messages").isEmpty();
  }

  /** The notifications received since. */
  List<JsonNode> told() {
    return grace
        .pollNow(name)
        .path("messages")
        .valueStream()
        .map(message -> message.path("payload"))
        .filter(payload -> payload.has("notification_type"))
        .toList();
  }
}
