package joshua.rules;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Names of types: two words or more unless the trade or the design has the one word, no simple name
 * twice among top-level types, and exceptions that end in {@code Exception}.
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

  /** A sentence for each name that breaks a rule, ordered by name. */
  static List<String> mistakes(JavaClasses classes) {
    List<String> mistakes = new ArrayList<>();
    Map<String, List<String>> packages = new TreeMap<>();
    classes.stream()
        .sorted(Comparator.comparing(JavaClass::getName))
        .forEach(type -> {
          String name = type.getSimpleName();
          if (isTopLevel(type)) {
            packages.computeIfAbsent(name, _ -> new ArrayList<>()).add(type.getPackageName());
            if (WORD.matcher(name).matches() && !ONE_WORD.contains(name)) {
              mistakes.add(type.getName() + " has one word; say of what it is one");
            }
          }
          if (type.isAssignableTo(Throwable.class)
              && !name.isEmpty()
              && !name.endsWith("Exception")
              && !name.endsWith("Error")) {
            mistakes.add(type.getName() + " is an exception and doesn't end in Exception");
          }
        });
    packages.forEach((name, where) -> {
      if (where.size() > 1) {
        mistakes.add("%s is the name of several types, in %s".formatted(name, where));
      }
    });
    return mistakes;
  }

  private static boolean isTopLevel(JavaClass type) {
    return type.isTopLevelClass() && !type.getSimpleName().equals("package-info");
  }
}
