package joshua.rules;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.Source;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The rules of the packages inside a module: no circle among them, and not too many files in one.
 */
final class ModuleRooms {
  static final int MOST_FILES = 22;

  /** Modules whose packages form no circle. {@code joshua.app} isn't among them yet. */
  private static final List<String> MODULES =
      List.of(
          "joshua.kernel",
          "joshua.conversation",
          "joshua.network",
          "joshua.ssh",
          "joshua.thought",
          "joshua.tasks",
          "joshua.grace",
          "joshua.fiedler",
          "joshua.rogers");

  /** Modules that are divided into packages of a size that one can read in one go. */
  private static final List<String> DIVIDED =
      List.of("joshua.tasks", "joshua.grace", "joshua.rogers");

  private ModuleRooms() {}

  static List<ArchRule> rules() {
    return MODULES.stream().map(ModuleRooms::noCircle).toList();
  }

  /** The settings of a module may be read in all of its packages. */
  private static ArchRule noCircle(String module) {
    return slices()
        .assignedFrom(packages(module))
        .should()
        .beFreeOfCycles()
        .ignoreDependency(alwaysTrue(), simpleNameEndingWith("Config"))
        .allowEmptyShould(true)
        .as("No circle among the packages of " + module);
  }

  private static SliceAssignment packages(String module) {
    return new SliceAssignment() {
      @Override
      public String getDescription() {
        return "the packages of " + module;
      }

      @Override
      public SliceIdentifier getIdentifierOf(JavaClass type) {
        return within(type, module)
            ? SliceIdentifier.of(type.getPackageName())
            : SliceIdentifier.ignore();
      }
    };
  }

  private static boolean within(JavaClass type, String module) {
    return (type.getPackageName() + ".").startsWith(module + ".");
  }

  /** A sentence about each package of a divided module with more files than it may have. */
  static List<String> crowded(JavaClasses classes) {
    Map<String, TreeSet<URI>> files = new TreeMap<>();
    for (JavaClass type : classes) {
      if (type.isTopLevelClass()
          && !type.getSimpleName().equals("package-info")
          && DIVIDED.stream().anyMatch(each -> within(type, each))) {
        type.getSource()
            .map(Source::getUri)
            .filter(source -> !source.getPath().contains("/test-classes/"))
            .ifPresent(source ->
                files.computeIfAbsent(type.getPackageName(), _ -> new TreeSet<>()).add(source));
      }
    }
    return files.entrySet().stream()
        .filter(each -> each.getValue().size() > MOST_FILES)
        .map(each -> "%s has %d files".formatted(each.getKey(), each.getValue().size()))
        .toList();
  }
}
