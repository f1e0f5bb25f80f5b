package joshua.app;

import java.util.List;
import java.util.stream.Collectors;
import joshua.dewey.Dewey;
import joshua.fiedler.Fiedler;
import joshua.grace.Grace;
import joshua.horace.Horace;
import joshua.network.Access;
import joshua.rogers.Rogers;
import joshua.service.ServiceDescriptor;

/** The services of this build, in the order in which lists show them. */
public final class Services {
  public static final List<ServiceDescriptor<?>> ALL =
      List.of(Grace.SERVICE, Fiedler.SERVICE, Dewey.SERVICE, Horace.SERVICE, Rogers.SERVICE);

  /** Names that nobody else may bear. */
  public static final Access ACCESS =
      new Access(ALL.stream().map(ServiceDescriptor::name).collect(Collectors.toUnmodifiableSet()));

  private Services() {}
}
