package joshua.rules;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.app.Services;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Who may know whom, and what nobody does. */
class ArchitectureTest {
  private static final Set<String> LIBRARIES =
      Set.of("kernel", "conversation", "network", "state", "tasks", "thought", "ssh", "service");

  /** Each part, that is the package joshua.PART and those below it, and the parts it may use. */
  static final List<Map.Entry<String, Set<String>>> PARTS =
      Stream.concat(
              Stream.<Map.Entry<String, Set<String>>>of(
                  Map.entry("kernel", Set.of()),
                  Map.entry("conversation", Set.of("kernel")),
                  Map.entry("network", Set.of("kernel")),
                  Map.entry("state", Set.of("kernel", "network")),
                  Map.entry("ssh", Set.of("kernel", "network")),
                  Map.entry("thought", Set.of("kernel", "network", "state")),
                  Map.entry(
                      "tasks",
                      Set.of("kernel", "conversation", "network", "state", "thought", "ssh")),
                  Map.entry("service", Set.of("kernel", "conversation", "network", "ssh")),
                  Map.entry("testing", Set.of())),
              Services.ALL.stream().map(service -> Map.entry(service.name(), LIBRARIES)))
          .toList();

  /** Each adapter, and the packages of libraries that it alone may see. */
  static final List<Map.Entry<String, List<String>>> ADAPTERS =
      List.of(
          Map.entry("joshua.conversation.redis", List.of("io.lettuce..", "io.netty..")),
          Map.entry(
              "joshua.network.http",
              List.of("io.javalin..", "org.eclipse.jetty..", "jakarta.servlet..")),
          Map.entry("joshua.ssh.mina", List.of("org.apache.sshd..", "org.jline..")),
          Map.entry("joshua.state", List.of("java.sql..", "org.sqlite..")),
          Map.entry("joshua.thought.langchain", List.of("dev.langchain4j..")));

  private static JavaClasses main;
  private static JavaClasses tests;

  @BeforeAll
  static void readAllClasses() throws IOException {
    main = classes("classes");
    tests = classes("test-classes");
    assertThat(main.contain("joshua.kernel.Json")).isTrue();
    assertThat(tests.contain("joshua.kernel.JsonTest")).isTrue();
  }

  private static JavaClasses classes(String directory) throws IOException {
    try (Stream<Path> modules = Files.walk(SourceTree.ROOT, 2)) {
      return new ClassFileImporter()
          .importPaths(
              modules
                  .map(module -> module.resolve("target").resolve(directory))
                  .filter(Files::isDirectory)
                  .toList());
    }
  }

  /** The program and its benchmark may use everything. */
  @Test
  void everyPackageIsOfAPart() {
    Set<String> parts =
        Stream.concat(Stream.of("app", "bench"), PARTS.stream().map(Map.Entry::getKey))
            .collect(Collectors.toSet());
    assertThat(main).allMatch(each -> parts.contains(each.getPackageName().split("\\.")[1]));
  }

  @ParameterizedTest
  @FieldSource("PARTS")
  void aPartUsesOnlyWhatItMay(Map.Entry<String, Set<String>> part) {
    DescribedPredicate<JavaClass> forbidden =
        DescribedPredicate.describe(
            "are neither its own nor of " + part.getValue(),
            used -> {
              String[] name = used.getPackageName().split("\\.");
              return name[0].equals("joshua")
                  && !name[1].equals(part.getKey())
                  && !part.getValue().contains(name[1]);
            });
    noClasses()
        .that()
        .resideInAPackage("joshua." + part.getKey() + "..")
        .should()
        .dependOnClassesThat(forbidden)
        .allowEmptyShould(true)
        .check(main);
  }

  @ParameterizedTest
  @FieldSource("ADAPTERS")
  void aLibraryIsSeenByItsAdapterAlone(Map.Entry<String, List<String>> adapter) {
    noClasses()
        .that()
        .resideOutsideOfPackages(adapter.getKey(), "joshua.bench")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(adapter.getValue().toArray(String[]::new))
        .check(main);
  }

  @ParameterizedTest
  @FieldSource("ADAPTERS")
  void anAdapterIsKnownToItsPartAndToTheApp(Map.Entry<String, List<String>> adapter) {
    String part = adapter.getKey().split("\\.")[1];
    if (!adapter.getKey().equals("joshua." + part)) {
      noClasses()
          .that()
          .resideOutsideOfPackages("joshua." + part + "..", "joshua.app..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(adapter.getKey())
          .check(main);
    }
  }

  @Test
  void packagesFormNoCycles() {
    slices().matching("joshua.(**)").should().beFreeOfCycles().check(main);
  }

  @Test
  void nobodySleeps() {
    noClasses().should().callMethodWhere(called(Thread.class, "sleep")).check(main);
    noClasses().should().callMethodWhere(called(Thread.class, "sleep")).check(tests);
  }

  /** A test that measures time depends on the machine's speed; figures belong to the benchmark. */
  @Test
  void noTestLooksAtTheClock() {
    noClasses()
        .should()
        .callMethodWhere(called(System.class, "nanoTime"))
        .orShould()
        .callMethodWhere(called(System.class, "currentTimeMillis"))
        .check(tests);
  }

  private static DescribedPredicate<JavaCall<?>> called(Class<?> type, String method) {
    return target(owner(JavaClass.Predicates.assignableTo(type))).and(target(name(method)));
  }
}
