package joshua.app;

import java.util.List;
import joshua.fiedler.Fiedler;
import joshua.grace.Grace;
import joshua.service.ServiceDescriptor;

/** The services that this build has, in the order in which they start. */
public final class Services {
  public static final List<ServiceDescriptor<?>> ALL = List.of(Grace.SERVICE, Fiedler.SERVICE);

  private Services() {}
}
