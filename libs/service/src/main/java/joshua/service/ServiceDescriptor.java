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
 * The descriptor of a service: all that is needed to run it, to configure it and to talk to it.
 * Options, ports, commands and the banner derive from the list of descriptors.
 *
 * @param sentence describes it, for people
 * @param port the default port of its tools, as {@code sshPort} is that of its verbs
 * @param channels all that it publishes and subscribes to, for Redis' ACL
 * @param settings creates its settings, a picocli mixin whose options begin with its name
 * @param verbs its administrators' commands, besides those of every service
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

  /** The file of its state in the data directory, if it keeps any. */
  public Path database(Path data) {
    return data.resolve(name).resolve(name + "_state.db");
  }

  /** Its verbs, and those of every service. */
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
