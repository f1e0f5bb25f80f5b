package joshua.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import joshua.kernel.Json;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, from its jar. */
public final class BuildVersion implements IVersionProvider {

  public static String current() {
    return Optional.ofNullable(BuildVersion.class.getPackage().getImplementationVersion())
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

  static ObjectNode json() {
    return Json.object()
        .put("joshua", current())
        .put("java", Runtime.version().toString())
        .put("os", System.getProperty("os.name"))
        .put("arch", System.getProperty("os.arch"));
  }

  @Override
  public String[] getVersion() {
    return new String[] {sentence()};
  }
}
