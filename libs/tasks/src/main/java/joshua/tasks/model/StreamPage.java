package joshua.tasks.model;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import joshua.kernel.Json;

/**
 * A range of the frames that a task has streamed in its latest attempt.
 *
 * @param end how many frames there are so far
 */
public record StreamPage(Task task, List<StreamFrame> frames, long end) {
  /** The approximate size of a frame without its token, for limiting an answer. */
  public static final int FRAME_OVERHEAD = 100;

  public StreamPage {
    frames = List.copyOf(frames);
  }

  /** Whether this range contains the last frame of the stream. */
  boolean reachesTheEnd(long from) {
    long next = frames.isEmpty() ? from : frames.getLast().sequence() + 1;
    return task.state().isFinal() && next >= end;
  }

  /**
   * Whether waiting for more is pointless: there are frames, or there will be none, or there are
   * fewer than {@code from}, since another attempt has begun.
   *
   * @param from the first frame requested
   */
  public boolean hasNews(long from) {
    return !frames.isEmpty() || task.state().isFinal() || from > end;
  }

  /** The answer of {@code …_get_stream}: the frames as they are on the bus, with the final one. */
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
