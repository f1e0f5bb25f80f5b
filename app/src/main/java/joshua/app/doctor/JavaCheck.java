package joshua.app.doctor;

import java.util.List;

/** Reports which Java this is: the launcher has chosen it, and runs the group with the same. */
public record JavaCheck(Runtime.Version version, String vendor, String home)
    implements HealthCheck {
  static final int NEEDED = 25;

  /** The Java that runs this process. */
  public static JavaCheck ofThisProcess() {
    return new JavaCheck(
        Runtime.version(),
        System.getProperty("java.vendor", "an unknown vendor"),
        System.getProperty("java.home", "?"));
  }

  @Override
  public List<CheckFinding> look() {
    String found = "%s by %s, in %s".formatted(version, vendor, home);
    if (version.feature() < NEEDED) {
      return List.of(
          CheckFinding.bad(
              "java",
              found,
              "Install a JDK %d or newer, or set JAVA_HOME to one.".formatted(NEEDED)));
    }
    if (version.pre().isPresent()) {
      return List.of(
          CheckFinding.warning(
              "java",
              found + ", which is no release",
              "Install a released JDK, or set JAVA_HOME to one."));
    }
    return List.of(CheckFinding.ok("java", found));
  }
}
