package joshua.app;

import java.nio.file.Path;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;

/** Where the admin sockets of the MADs are, for who opens them and who connects. */
final class AdminSockets {
  private AdminSockets() {}

  /** {@code <data>/<mad>/admin.sock}. */
  static Path file(Settings settings, String mad) {
    return settings.get(KnownSettings.DATA_DIR).resolve(mad).resolve("admin.sock");
  }
}
