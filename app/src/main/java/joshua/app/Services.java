package joshua.app;

import java.util.List;
import joshua.fiedler.Fiedler;
import joshua.grace.Grace;
import joshua.rogers.Rogers;
import joshua.service.ServiceDescriptor;

/** The services that this build has, in the order in which people look for them. */
public final class Services {
  public static final List<ServiceDescriptor<?>> ALL =
      List.of(Grace.SERVICE, Fiedler.SERVICE, Rogers.SERVICE);

  private Services() {}
}
