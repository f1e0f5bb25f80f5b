package joshua.app;

import java.nio.file.Path;
import java.util.List;
import joshua.fiedler.Fiedler;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;
import joshua.rogers.Rogers;
import joshua.state.Migration;

/**
 * The database of a MAD, as it is opened, copied or checked.
 *
 * @param mad the MAD that it belongs to
 * @param migrations its schema, as this build knows it
 */
record KnownStore(String mad, List<Migration> migrations) {
  static final KnownStore FIEDLER = new KnownStore(Fiedler.NAME, Fiedler.migrations());
  static final KnownStore ROGERS = new KnownStore(Rogers.NAME, Rogers.migrations());

  static List<KnownStore> all() {
    return List.of(FIEDLER, ROGERS);
  }

  /** {@code fiedler_state.db}, in a backup as well. */
  String fileName() {
    return mad + "_state.db";
  }

  /** {@code <data>/fiedler/fiedler_state.db} (wire contract §5). */
  Path file(Settings settings) {
    return settings.get(KnownSettings.DATA_DIR).resolve(mad).resolve(fileName());
  }
}
