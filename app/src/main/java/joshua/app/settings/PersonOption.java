package joshua.app.settings;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The name on the bus of whoever types a command. */
public final class PersonOption {
  @Option(
      names = "--as",
      paramLabel = "NAME",
      description = "Who you are; without it JOSHUA_AS, or else your login.")
  private @Nullable String name;

  /** That name. */
  public String person() {
    return name == null ? ofLogin(System.getProperty("user.name", "")) : name;
  }

  /** A login as a name; a user of a container may have none. */
  static String ofLogin(String login) {
    String name = login.replaceAll("[^A-Za-z0-9._:-]", "-").replaceFirst("^[^A-Za-z0-9]+", "");
    return name.isEmpty() ? "admin" : name;
  }
}
