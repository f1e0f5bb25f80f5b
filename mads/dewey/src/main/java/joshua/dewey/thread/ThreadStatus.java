package joshua.dewey.thread;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The status of a thread; a closed one stays so, and takes no posts. */
public enum ThreadStatus {
  ACTIVE,
  BLOCKED,
  RESOLVED,
  CLOSED;

  /** Whether the status may change from this one to another. */
  public boolean mayBecome(ThreadStatus next) {
    return switch (this) {
      case ACTIVE -> next != ACTIVE;
      case BLOCKED -> next == ACTIVE || next == CLOSED;
      case RESOLVED -> next == CLOSED;
      case CLOSED -> false;
    };
  }

  /** As in inputs and answers. */
  @JsonValue
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
