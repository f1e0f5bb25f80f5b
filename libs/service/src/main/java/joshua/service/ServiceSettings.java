package joshua.service;

import java.util.List;

/** The settings of a service with shared options or checks. */
public interface ServiceSettings {
  /** Options whose names are prefixed by the service's, so that several services can have them. */
  Object own();

  /** The problems of the settings, in sentences. */
  List<String> problems();
}
