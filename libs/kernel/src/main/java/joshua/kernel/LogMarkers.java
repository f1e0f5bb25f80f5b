package joshua.kernel;

import org.slf4j.Marker;
import org.slf4j.MarkerFactory;

/** Markers that classify log lines beyond their level. */
public final class LogMarkers {
  /**
   * The line's arguments quote a participant, a prompt or a model. Viewers see the line without
   * them.
   */
  public static final Marker QUOTES_OTHERS = MarkerFactory.getMarker("QUOTES_OTHERS");

  private LogMarkers() {}
}
