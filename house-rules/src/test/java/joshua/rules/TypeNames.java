package joshua.rules;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Names of types: two words or more unless the trade or the design has the one word, no simple name
 * twice, tests included, and exceptions that end in {@code Exception}.
 */
final class TypeNames {
  /** Terms of the trade and of the design that may stand alone. */
  private static final Set<String> ONE_WORD =
      Set.of(
          "Authenticator",
          "Caller",
          "Cet",
          "Channel",
          "Database",
          "Dtr",
          "Envelope",
          "Evidence",
          "Fiedler",
          "Gap",
          "Grace",
          "Heartbeat",
          "Imperator",
          "Journal",
          "Json",
          "Lease",
          "Ledger",
          "Lppm",
          "Main",
          "Migration",
          "Participant",
          "Presence",
          "Query",
          "Refusal",
          "Rogers",
          "Role",
          "Secret",
          "Setting",
          "Settings",
          "Subcommand",
          "Subscription",
          "Task",
          "Tool",
          "Verb");

  private static final Pattern WORD = Pattern.compile("[A-Z][a-z0-9]*");

  private TypeNames() {}

  /** A sentence for each name that breaks a rule, in the order of the files. */
  static List<String> mistakes(List<Path> sources, JavaClasses classes) {
    List<String> mistakes = new ArrayList<>();
    Map<String, List<String>> files = new TreeMap<>();
    for (Path source : sources) {
      String name = source.getFileName().toString().replace(".java", "");
      if (name.equals("package-info")) {
        continue;
      }
      files.computeIfAbsent(name, _ -> new ArrayList<>()).add(ProjectFiles.name(source));
      if (WORD.matcher(name).matches() && !ONE_WORD.contains(name)) {
        mistakes.add(ProjectFiles.name(source) + " has one word; say of what it is one");
      }
    }
    files.forEach((name, where) -> {
      if (where.size() > 1) {
        mistakes.add("%s is the name of several types: %s".formatted(name, where));
      }
    });
    classes.stream()
        .filter(type -> type.isAssignableTo(Throwable.class))
        .filter(type -> !type.getSimpleName().matches("|.*(Exception|Error)"))
        .map(type -> type.getName() + " is an exception and doesn't end in Exception")
        .sorted()
        .forEach(mistakes::add);
    return mistakes;
  }
}
