package joshua.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;

/** Calls and names that aren't allowed in the project. */
final class BannedCalls {
  /** Time is an InstantSource and waiting is a TimedWait; only the app creates the real ones. */
  private static final Set<String> REAL_TIME =
      Set.of(
          "java.time.Instant.now",
          "java.time.LocalDate.now",
          "java.time.LocalDateTime.now",
          "java.time.OffsetDateTime.now",
          "java.time.ZonedDateTime.now",
          "java.time.Clock.systemUTC",
          "java.time.Clock.systemDefaultZone",
          "java.time.Clock.system",
          "java.time.InstantSource.system",
          "java.util.Date.<init>",
          "java.lang.System.currentTimeMillis",
          "java.lang.Thread.sleep",
          "java.util.concurrent.TimeUnit.sleep",
          "java.util.concurrent.locks.LockSupport.parkNanos");

  private static final Set<String> CONSOLE =
      Set.of("java.lang.System.out", "java.lang.System.err", "java.lang.System.console");

  /** Where real time and real waiting come from, for the app and for programs of other people. */
  private static final String[] CLOCK_MAKERS = {
    "joshua.kernel.TimedWait", "joshua.conversation.redis.RedisConversation"
  };

  private BannedCalls() {}

  static List<ArchRule> rules() {
    return List.of(
        noClasses()
            .that()
            .resideOutsideOfPackages("joshua.app..", "joshua.bench..", "joshua.example..")
            .and()
            .doNotHaveFullyQualifiedName(CLOCK_MAKERS[0])
            .and()
            .doNotHaveFullyQualifiedName(CLOCK_MAKERS[1])
            .should()
            .accessTargetWhere(oneOf(REAL_TIME))
            .as("Real time and real waiting stand in joshua.app only")
            .allowEmptyShould(true),
        noClasses()
            .that()
            .resideOutsideOfPackages(
                "joshua.app..", "joshua.bench..", "joshua.example..", "joshua.testing..")
            .should()
            .accessTargetWhere(oneOf(CONSOLE))
            .as("The console belongs to joshua.app")
            .allowEmptyShould(true),
        noClasses()
            .should()
            .accessTargetWhere(oneOf(Set.of("java.lang.Throwable.printStackTrace")))
            .as("Stack traces go to the log")
            .allowEmptyShould(true),
        noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.util.logging..")
            .as("Logging is SLF4J")
            .allowEmptyShould(true),
        classes()
            .should()
            .haveNameNotMatching(".*(Impl|Utils?|Helpers?|Data|Info)")
            .as("Names are nouns of the trade"));
  }

  private static DescribedPredicate<JavaAccess<?>> oneOf(Set<String> members) {
    return DescribedPredicate.describe(
        "one of " + members,
        access -> {
          String name = access.getName();
          return members.contains(access.getTargetOwner().getName() + "." + name)
              || access.getTargetOwner().getAllRawSuperclasses().stream()
                  .anyMatch(parent -> members.contains(parent.getName() + "." + name));
        });
  }
}
