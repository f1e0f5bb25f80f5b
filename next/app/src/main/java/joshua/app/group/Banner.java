package joshua.app.group;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a person sees when a group has started. */
final class Banner {
  private Banner() {}

  static List<String> lines(RunFile run) {
    List<String> lines = new ArrayList<>();
    lines.add("Joshua %s runs, process %d.".formatted(run.version(), run.pid()));
    lines.add("");
    run.services()
        .forEach((name, address) -> lines.add("  %-8s %s".formatted(capitalized(name), address)));
    lines.add("  %-8s %s".formatted("Redis", run.redis()));
    run.passwordFile().ifPresent(file -> lines.add("           password in " + file));
    lines.add("");
    lines.add("In another terminal:  ./joshua tail");
    lines.add("                      ./joshua send mad.topic.news \"hello\"");
    if (run.services().containsKey("fiedler")) {
      lines.add("                      ./joshua ask help");
    }
    if (run.services().containsKey("rogers")) {
      lines.add("                      ./joshua problems");
    }
    lines.add("                      ./joshua stop");
    return lines;
  }

  private static String capitalized(String name) {
    return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }
}
