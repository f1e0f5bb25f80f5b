package joshua.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class ModuleRoomsTest {
  @TempDir Path directory;

  @TestFactory
  Stream<DynamicTest> theHouse() {
    JavaClasses classes = ProjectFiles.classes();
    return ModuleRooms.rules().stream()
        .map(rule -> DynamicTest.dynamicTest(rule.getDescription(), () -> rule.check(classes)));
  }

  @Test
  void noPackageIsCrowded() {
    assertThat(ModuleRooms.crowded(ProjectFiles.classes())).isEmpty();
  }

  @Test
  void aCircleOfPackagesIsFound() throws Exception {
    assertThat(
            broken(
                "package joshua.tasks.store; public class A { joshua.tasks.worker.B b; }",
                "package joshua.tasks.worker; public class B { joshua.tasks.store.A a; }"))
        .containsExactly("No circle among the packages of joshua.tasks");
  }

  @Test
  void settingsMayBeReadEverywhereInTheModule() throws Exception {
    assertThat(
            broken(
                "package joshua.tasks; public class TasksConfig { joshua.tasks.worker.B b; }",
                "package joshua.tasks.worker; public class B { joshua.tasks.TasksConfig c; }"))
        .isEmpty();
  }

  @Test
  void aPackageWithTooManyFilesIsFound() throws Exception {
    String[] sources =
        IntStream.rangeClosed(0, ModuleRooms.MOST_FILES)
            .mapToObj(n -> "package joshua.grace.queue; class Part%c {}".formatted('A' + n))
            .toArray(String[]::new);

    assertThat(ModuleRooms.crowded(BadExample.compile(directory, sources)))
        .containsExactly("joshua.grace.queue has 23 files");
  }

  private List<String> broken(String... sources) throws Exception {
    JavaClasses classes = BadExample.compile(directory, sources);
    return ModuleRooms.rules().stream()
        .filter(each -> each.evaluate(classes).hasViolation())
        .map(ArchRule::getDescription)
        .toList();
  }
}
