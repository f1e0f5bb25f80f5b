package joshua.app.group;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import joshua.app.settings.CommonSettings;

/** The lines that {@code up} prints when the group has started. */
final class Banner {
  private Banner() {}

  static List<String> lines(RunFile run, CommonSettings settings) {
    List<String> lines = new ArrayList<>();
    lines.add("Joshua %s runs, process %d.".formatted(run.version(), run.pid()));
    lines.add("");
    run.services()
        .forEach((name, address) -> {
          String first = name.substring(0, 1).toUpperCase(Locale.ROOT);
          lines.add("  %s%-7s %s".formatted(first, name.substring(1), address));
        });
    if (!settings.bind().equals("127.0.0.1")) {
      lines.add("           listening on " + settings.bind());
    }
    lines.add("  %-8s %s".formatted("Redis", run.redis()));
    if (run.passwordFile() != null) {
      lines.add("           password in " + run.passwordFile());
    }
    lines.add("  SSH      " + ssh(run));
    lines.add("  Data     " + settings.dataDirectory());
    settings.tokensFile().ifPresent(file -> lines.add("  Tokens   asked for: " + file));
    lines.add("");
    Optional.ofNullable(run.services().get("rogers"))
        .ifPresent(rogers ->
            lines.add("To look at it all:    %s".formatted(URI.create(rogers).resolve("/"))));
    lines.add("To set an agent up:   ./joshua connect");
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

  private static String ssh(RunFile run) {
    return run.ssh().isEmpty()
        ? "no keys yet: ./joshua keys add ~/.ssh/id_ed25519.pub"
        : run.services().keySet().stream()
            .map(service -> "%s %d".formatted(service, run.ssh().get(service)))
            .collect(Collectors.joining(", ", "ssh mad@127.0.0.1 -p PORT; ", ""));
  }
}
