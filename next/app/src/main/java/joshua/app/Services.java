package joshua.app;

import java.util.List;
import joshua.fiedler.Fiedler;
import joshua.grace.Grace;
import joshua.rogers.Rogers;
import joshua.service.ServiceDescriptor;

/**
 * The services that this build has, in the order in which they start. The monitor is the first and
 * stops as the last, so that it hears how the others come and go.
 */
public final class Services {
  public static final List<ServiceDescriptor<?>> ALL =
      List.of(Rogers.SERVICE, Grace.SERVICE, Fiedler.SERVICE);

  private Services() {}
}
