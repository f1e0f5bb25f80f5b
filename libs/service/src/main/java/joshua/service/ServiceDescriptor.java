package joshua.service;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import joshua.conversation.BusUnavailableException;
import joshua.service.admin.CommonTools;
import joshua.ssh.Verb;

/**
 * All that must be known of a service to run it, to configure it and to talk to it. Options, ports,
 * commands and the banner come from the list of these.
 *
 * @param sentence what it does, for people
 * @param port of its tools by default, as {@code sshPort} of its verbs
 * @param channels all that it publishes to and subscribes to, as Redis may permit it
 * @param settings makes its settings, a picocli mixin whose options begin with the service's name
 * @param verbs what administrators type, besides the verbs of every service
 */
public record ServiceDescriptor<S>(
    String name,
    String sentence,
    int port,
    int sshPort,
    List<String> channels,
    Supplier<S> settings,
    List<Class<? extends Verb>> verbs,
    Start<S> start) {

  /** Where its state is in the directory of all services, if it keeps any. */
  public Path database(Path data) {
    return data.resolve(name).resolve(name + "_state.db");
  }

  /** The verbs of the service, and those of every service. */
  public List<Class<? extends Verb>> allVerbs() {
    return Stream.concat(verbs.stream(), CommonTools.VERBS.stream()).toList();
  }

  /** Starts a service. */
  @FunctionalInterface
  public interface Start<S> {
    /** The message of an {@link IOException} is a sentence for the user. */
    RunningService start(ServiceContext context, S settings)
        throws IOException, BusUnavailableException, InterruptedException;
  }
}
