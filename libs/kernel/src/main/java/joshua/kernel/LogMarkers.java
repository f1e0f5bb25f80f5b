package joshua.kernel;

import org.slf4j.Marker;
import org.slf4j.MarkerFactory;

/** What a log line says of itself beside its level. */
public final class LogMarkers {
  /**
   * The line's arguments quote what a participant, a prompt or a model has said. Viewers are shown
   * the line without them.
   */
  public static final Marker QUOTES_OTHERS = MarkerFactory.getMarker("QUOTES_OTHERS");

  private LogMarkers() {}
}
