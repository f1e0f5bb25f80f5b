package joshua.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class BannedCallsTest {
  private static final String REAL_TIME = "Real time and real waiting stand in joshua.app only";

  @TempDir Path directory;

  @TestFactory
  Stream<DynamicTest> theHouse() {
    JavaClasses classes = ProjectFiles.classes();
    return BannedCalls.rules().stream()
        .map(rule -> DynamicTest.dynamicTest(rule.getDescription(), () -> rule.check(classes)));
  }

  private List<String> broken(String... sources) throws Exception {
    JavaClasses classes = BadExample.compile(directory, sources);
    return BannedCalls.rules().stream()
        .filter(rule -> rule.evaluate(classes).hasViolation())
        .map(ArchRule::getDescription)
        .toList();
  }

  @Test
  void realTimeOutsideOfTheApp() throws Exception {
    List<String> expressions =
        List.of(
            "java.time.Instant.now()",
            "System.currentTimeMillis()",
            "java.time.InstantSource.system()",
            "java.time.Clock.systemUTC()",
            "new java.util.Date()");
    String members =
        expressions.stream()
            .map(each -> "Object o%d = %s;".formatted(expressions.indexOf(each), each))
            .collect(Collectors.joining("\n"));
    JavaClasses classes =
        BadExample.compile(directory, "package joshua.grace; class Bad { " + members + " }");
    assertThat(violations(REAL_TIME, classes)).hasSameSizeAs(expressions);
  }

  private static List<String> violations(String rule, JavaClasses classes) {
    return BannedCalls.rules().stream()
        .filter(each -> each.getDescription().equals(rule))
        .flatMap(each -> each.evaluate(classes).getFailureReport().getDetails().stream())
        .toList();
  }

  @Test
  void sleepingOutsideOfTheAppAlsoAsAMethodReference() throws Exception {
    assertThat(
            broken(
                "package joshua.grace; class Bad { void f() throws Exception { Thread.sleep(1); } }"))
        .containsExactly(REAL_TIME);
    assertThat(
            broken(
                """
                package joshua.grace;
                class Bad {
                  interface P { void pause(java.time.Duration d) throws InterruptedException; }
                  P p = Thread::sleep;
                }
                """))
        .containsExactly(REAL_TIME);
  }

  @Test
  void realTimeInTheAppIsFine() throws Exception {
    assertThat(broken("package joshua.app; class Good { Object o = java.time.Instant.now(); }"))
        .isEmpty();
  }

  @Test
  void measuringIsFine() throws Exception {
    assertThat(broken("package joshua.grace; class Good { long l = System.nanoTime(); }"))
        .isEmpty();
  }

  @Test
  void theConsoleOutsideOfTheApp() throws Exception {
    assertThat(broken("package joshua.grace; class Bad { Object o = System.out; }"))
        .containsExactly("The console belongs to joshua.app");
  }

  @Test
  void stackTracesOnTheConsole() throws Exception {
    assertThat(
            broken(
                "package joshua.app; class Bad { void f(IllegalStateException e) { e.printStackTrace(); } }"))
        .containsExactly("Stack traces go to the log");
  }

  @Test
  void otherLogging() throws Exception {
    assertThat(broken("package joshua.app; class Bad { java.util.logging.Logger log; }"))
        .containsExactly("Logging is SLF4J");
  }

  @Test
  void namesThatSayNothing() throws Exception {
    String[] names = {"BusImpl", "StringUtils", "PollHelper", "ClientData", "ClientInfo"};
    JavaClasses classes =
        BadExample.compile(
            directory,
            Stream.of(names)
                .map(name -> "package joshua.grace; class " + name + " {}")
                .toArray(String[]::new));
    assertThat(violations("Names are nouns of the trade", classes)).hasSameSizeAs(names);
  }
}
