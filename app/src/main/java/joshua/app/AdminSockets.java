package joshua.app;

import java.nio.file.Path;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;

/**
 * The paths of the MADs' admin sockets, for the side that opens them and the side that connects.
 */
final class AdminSockets {
  private AdminSockets() {}

  /** {@code <data>/<mad>/admin.sock}. */
  static Path file(Settings settings, String mad) {
    return settings.get(KnownSettings.DATA_DIR).resolve(mad).resolve("admin.sock");
  }
}
