package joshua.app;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.dewey.Dewey;
import joshua.fiedler.Fiedler;
import joshua.grace.Grace;
import joshua.network.Access;
import joshua.rogers.Rogers;
import joshua.service.ServiceDescriptor;

/** The services of this build, in the order in which lists show them. */
public final class Services {
  public static final List<ServiceDescriptor<?>> ALL =
      List.of(Grace.SERVICE, Fiedler.SERVICE, Dewey.SERVICE, Rogers.SERVICE);

  /** Names that nobody else may bear; that of a service to come among them. */
  public static final Access ACCESS =
      new Access(
          Stream.concat(ALL.stream().map(ServiceDescriptor::name), Stream.of("horace"))
              .collect(Collectors.toUnmodifiableSet()));

  private Services() {}
}
