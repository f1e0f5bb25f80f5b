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

class WhoMayKnowWhomTest {
  @TempDir Path directory;

  @TestFactory
  Stream<DynamicTest> theHouse() {
    JavaClasses classes = ProjectFiles.classes();
    return WhoMayKnowWhom.rules().stream()
        .map(rule -> DynamicTest.dynamicTest(rule.getDescription(), () -> rule.check(classes)));
  }

  @Test
  void everyModuleIsLookedAt() {
    JavaClasses classes = ProjectFiles.classes();
    for (Path module : ProjectFiles.modules()) {
      assertThat(classes)
          .as(ProjectFiles.name(module))
          .anyMatch(each ->
              each.getSource()
                  .map(source -> Path.of(source.getUri()).startsWith(module))
                  .orElse(false));
    }
  }

  private void breaks(String rule, String... sources) throws Exception {
    JavaClasses classes = BadExample.compile(directory, sources);
    List<String> broken =
        WhoMayKnowWhom.rules().stream()
            .filter(each -> each.evaluate(classes).hasViolation())
            .map(ArchRule::getDescription)
            .toList();
    assertThat(broken).singleElement().asString().contains(rule);
  }

  @Test
  void theKernelKnowsNobody() throws Exception {
    breaks(
        "joshua.kernel.. knows only []",
        "package joshua.network; public class Tool {}",
        "package joshua.kernel; class Bad { joshua.network.Tool tool; }");
  }

  @Test
  void librariesDoNotKnowEachOther() throws Exception {
    breaks(
        "joshua.network.. knows only",
        "package joshua.conversation; public class Bus {}",
        "package joshua.network; class Bad { joshua.conversation.Bus bus; }");
  }

  @Test
  void aMadDoesNotKnowAnother() throws Exception {
    breaks(
        "joshua.grace.. knows only",
        "package joshua.rogers; public class Rogers {}",
        "package joshua.grace; class Bad { Object o = new joshua.rogers.Rogers(); }");
  }

  @Test
  void aMadDoesNotKnowAnAdapter() throws Exception {
    breaks(
        "joshua.grace.. knows only",
        "package joshua.network.http; public class Server {}",
        "package joshua.grace; class Bad { joshua.network.http.Server server; }");
  }

  @Test
  void aLibraryFromOutsideIsSeenByItsAdapterAlone() throws Exception {
    breaks(
        "[io.lettuce.., io.netty..] are seen only from joshua.conversation.redis..",
        "package io.lettuce.core; public class RedisClient {}",
        "package joshua.conversation.redis; class Good { io.lettuce.core.RedisClient client; }",
        "package joshua.conversation; class Bad { io.lettuce.core.RedisClient client; }");
  }

  @Test
  void nothingShippedKnowsTheTests() throws Exception {
    breaks(
        "Nothing that is shipped knows joshua.testing",
        "package joshua.testing; public class Needs {}",
        "package joshua.app; class Bad { joshua.testing.Needs needs; }");
  }

  @Test
  void aPackageWithoutALineIsNoticed() throws Exception {
    breaks("Every package has a line", "package joshua.cellar; class Bad {}");
  }
}
