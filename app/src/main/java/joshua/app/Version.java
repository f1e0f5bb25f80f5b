package joshua.app;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, as its jar says it. */
public final class Version implements IVersionProvider {

  public static String current() {
    return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
        .orElse("unpackaged");
  }

  static String sentence() {
    return "joshua %s (Java %s, %s %s)"
        .formatted(
            current(),
            Runtime.version(),
            System.getProperty("os.name"),
            System.getProperty("os.arch"));
  }

  @Override
  public String[] getVersion() {
    return new String[] {sentence()};
  }
}
