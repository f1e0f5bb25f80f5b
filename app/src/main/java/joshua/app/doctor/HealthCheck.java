package joshua.app.doctor;

import java.util.List;

/**
 * A look at one matter. It changes nothing, and ends within seconds but where it says otherwise.
 */
@FunctionalInterface
public interface HealthCheck {
  List<CheckFinding> look() throws InterruptedException;
}
