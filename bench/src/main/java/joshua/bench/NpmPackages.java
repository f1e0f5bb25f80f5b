package joshua.bench;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The peers that come from npm. */
final class NpmPackages {
  private static final String INSTALL =
      "mkdir -p target/npm && cp src/main/npm/* target/npm && cd target/npm"
          + " && npm install --no-audit --no-fund --silent";

  private NpmPackages() {}

  /** Installs them; where they are, or null where that failed. */
  static @Nullable Path installed(Report report) throws IOException, InterruptedException {
    int status =
        new ProcessBuilder("sh", "-c", INSTALL)
            .directory(MeasuredGroup.HOME.resolve("bench").toFile())
            .start()
            .waitFor();
    if (status == 0) {
      return MeasuredGroup.TARGET.resolve("npm");
    }
    report.skip("peers from npm", "npm install failed: it needs Node and npm.");
    return null;
  }
}
