package joshua.app;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import joshua.fiedler.Fiedler;
import joshua.grace.Grace;
import joshua.kernel.KnownSettings;
import joshua.kernel.Setting;
import joshua.network.mcp.McpCatalog;
import joshua.rogers.Rogers;

/**
 * A MAD of this build, as seen from outside, even while it isn't running.
 *
 * @param port the setting for the port it listens on
 * @param sshPort the setting for the port it listens on for SSH
 * @param instructions for models
 * @param catalogue its tools and resources, as far as they are always the same
 */
record KnownMad(
    String name,
    Setting<Integer> port,
    Setting<Integer> sshPort,
    String instructions,
    McpCatalog catalogue) {

  static List<KnownMad> all() {
    return List.of(
        new KnownMad(
            Grace.NAME,
            KnownSettings.GRACE_PORT,
            KnownSettings.GRACE_SSH_PORT,
            Grace.INSTRUCTIONS,
            Grace.catalogue()),
        new KnownMad(
            Fiedler.NAME,
            KnownSettings.FIEDLER_PORT,
            KnownSettings.FIEDLER_SSH_PORT,
            Fiedler.INSTRUCTIONS,
            Fiedler.catalogue()),
        new KnownMad(
            Rogers.NAME,
            KnownSettings.ROGERS_PORT,
            KnownSettings.ROGERS_SSH_PORT,
            Rogers.INSTRUCTIONS,
            Rogers.catalogue()));
  }

  static List<String> names() {
    return all().stream().map(KnownMad::name).toList();
  }

  /**
   * What is wrong with a name for a client or an admin: one named like a service could send in the
   * service's name.
   */
  static Optional<String> nameProblem(String name) {
    return Optional.of(name)
        .filter(names()::contains)
        .map("%s is the name of a service of the group; choose another name"::formatted);
  }

  /** The names of the MADs that answer prompts, for completion. */
  static final class ThinkingNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of(Fiedler.NAME, Rogers.NAME).iterator();
    }
  }

  /** The names of all MADs, for completion. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return names().iterator();
    }
  }
}
