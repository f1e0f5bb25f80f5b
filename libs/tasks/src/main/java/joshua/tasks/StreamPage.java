package joshua.tasks;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import joshua.kernel.Json;

/**
 * A stretch of what a task has streamed in its latest attempt.
 *
 * @param end how many frames there are so far
 */
public record StreamPage(Task task, List<StreamFrame> frames, long end) {
  /** What a frame counts beside its token, roughly, when an answer is measured. */
  static final int FRAME_OVERHEAD = 100;

  public StreamPage {
    frames = List.copyOf(frames);
  }

  /** Whether this stretch holds the last frame that there will be. */
  boolean reachesTheEnd(long from) {
    long next = frames.isEmpty() ? from : frames.getLast().sequence() + 1;
    return task.state().isFinal() && next >= end;
  }

  /**
   * Whether waiting for more is pointless: there is some, or there will be none, or there are fewer
   * frames than were asked for, since another attempt has begun.
   *
   * @param from the first frame that was wanted
   */
  boolean hasNews(long from) {
    return !frames.isEmpty() || task.state().isFinal() || from > end;
  }

  /** As {@code …_get_stream} answers: the frames as they are on the bus, with the final one. */
  public ObjectNode tree(long from) {
    ObjectNode tree = Json.object().put("status", "success").put("attempt", task.attempt());
    ArrayNode list = tree.putArray("frames");
    frames.forEach(streamFrame -> list.add(streamFrame.payload(task.id(), task.attempt())));
    boolean last = reachesTheEnd(from);
    if (last && from <= end) {
      list.add(StreamFrame.last(task.id(), task.attempt(), end, task.state()));
    }
    return tree.put("final", last);
  }
}
