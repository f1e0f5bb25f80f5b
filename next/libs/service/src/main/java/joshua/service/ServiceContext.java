package joshua.service;

import java.time.InstantSource;
import joshua.conversation.BusConnection;
import joshua.conversation.Participant;

/**
 * What a service is given.
 *
 * @param bus shared by the services of a process
 * @param self its name on the bus, and the instance that the process is
 */
public record ServiceContext(BusConnection bus, Participant self, InstantSource time) {}
