package joshua.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import joshua.testing.RawListener;
import joshua.testing.RawRedis;

/**
 * A listener that receives everything that Fiedler sends on the bus: streams, notifications,
 * answers to envelopes. {@link #listen} sorts what has arrived. Not for several threads.
 */
final class TaskStreamListener implements AutoCloseable {
  private static final String STREAM = "mad.stream.";
  private static final String DIRECT = "mad.direct.";
  private static final String TO_FIEDLER = "mad.direct.fiedler";

  private final RawListener listener;
  private final Map<String, TaskStream> voices = new HashMap<>();
  private final Map<String, List<JsonNode>> notifications = new HashMap<>();
  private final Map<String, List<JsonNode>> answers = new HashMap<>();
  private int sorted;

  /** Starts to listen. */
  TaskStreamListener(RawRedis connection) {
    listener = RawListener.on(connection, STREAM + "*", DIRECT + "*");
  }

  /** Sorts what has arrived since. */
  TaskStreamListener listen() {
    List<RawListener.Heard> heard = listener.heard();
    for (RawListener.Heard each : heard.subList(sorted, heard.size())) {
      sort(each.channel(), FrameSocketClient.parse(each.body()));
    }
    sorted = heard.size();
    return this;
  }

  private void sort(String channel, JsonNode envelope) {
    JsonNode payload = envelope.path("payload");
    String task = payload.path("task_id").asText();
    if (channel.startsWith(STREAM)) {
      voices.computeIfAbsent(task, _ -> new TaskStream()).hear(envelope);
    } else if (payload.has("notification_type")) {
      notifications.computeIfAbsent(task, _ -> new ArrayList<>()).add(envelope);
    } else if (!channel.equals(TO_FIEDLER)) {
      answers
          .computeIfAbsent(envelope.path("correlation_id").asText(), _ -> new ArrayList<>())
          .add(payload);
    }
  }

  TaskStream voice(String task) {
    return voices.getOrDefault(task, new TaskStream());
  }

  /** Every notification of a task that came, repeats included. */
  List<JsonNode> notifications(String task) {
    return notifications.getOrDefault(task, List.of());
  }

  /** The tasks of which a notification came. */
  Set<String> toldOf() {
    return new LinkedHashSet<>(notifications.keySet());
  }

  /** The answer to the envelope with this correlation id. */
  List<JsonNode> answers(String correlation) {
    return answers.getOrDefault(correlation, List.of());
  }

  @Override
  public void close() {
    listener.close();
  }
}
