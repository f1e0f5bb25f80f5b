package joshua.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BannedTest {
  private static final String REAL_TIME = "Real time and real waiting stand in joshua.app only";

  @TempDir Path directory;

  @TestFactory
  Stream<DynamicTest> theHouse() {
    JavaClasses classes = House.classes();
    return Banned.rules().stream()
        .map(rule -> DynamicTest.dynamicTest(rule.getDescription(), () -> rule.check(classes)));
  }

  private List<String> broken(String... sources) throws Exception {
    JavaClasses classes = Fixture.compile(directory, sources);
    return Banned.rules().stream()
        .filter(rule -> rule.evaluate(classes).hasViolation())
        .map(ArchRule::getDescription)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.time.Instant.now()",
        "System.currentTimeMillis()",
        "java.time.InstantSource.system()",
        "java.time.Clock.systemUTC()",
        "new java.util.Date()"
      })
  void realTimeOutsideOfTheApp(String expression) throws Exception {
    assertThat(broken("package joshua.grace; class Bad { Object o = " + expression + "; }"))
        .containsExactly(REAL_TIME);
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

  @ParameterizedTest
  @ValueSource(strings = {"BusImpl", "StringUtils", "PollHelper", "ClientData", "ClientInfo"})
  void namesThatSayNothing(String name) throws Exception {
    assertThat(broken("package joshua.grace; class " + name + " {}"))
        .containsExactly("Names are nouns of the trade");
  }
}
