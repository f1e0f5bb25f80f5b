package joshua.app;

import java.util.List;
import joshua.fiedler.Fiedler;
import joshua.grace.Grace;
import joshua.kernel.KnownSettings;
import joshua.kernel.Setting;
import joshua.network.mcp.Catalogue;

/**
 * A MAD of this build, for who deals with it from outside, also while it doesn't run.
 *
 * @param port the setting that says where it listens
 * @param instructions for models
 * @param catalogue what it offers, as far as that is the same at all times
 */
record KnownMad(String name, Setting<Integer> port, String instructions, Catalogue catalogue) {

  static List<KnownMad> all() {
    return List.of(
        new KnownMad(Grace.NAME, KnownSettings.GRACE_PORT, Grace.INSTRUCTIONS, Grace.catalogue()),
        new KnownMad(
            Fiedler.NAME, KnownSettings.FIEDLER_PORT, Fiedler.INSTRUCTIONS, Fiedler.catalogue()));
  }
}
