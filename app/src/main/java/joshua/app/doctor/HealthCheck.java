package joshua.app.doctor;

import java.util.List;

/** A check of one matter. It changes nothing, and ends within seconds unless it says otherwise. */
@FunctionalInterface
public interface HealthCheck {
  List<CheckFinding> look() throws InterruptedException;
}
