package joshua.service;

import java.util.List;

/** The settings of a service, where there is more to them than values. */
public interface ServiceSettings {
  /** Options whose names get that of the service before their own, so that each can have them. */
  Object own();

  /** What is wrong with the settings, in sentences. */
  List<String> problems();
}
