package joshua.rules;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The rules of which packages may import which. {@code ..} at the end of a package includes the
 * packages below it: a MAD sees {@code joshua.conversation}, and not the adapter {@code
 * joshua.conversation.redis}.
 */
final class WhoMayKnowWhom {
  private static final List<String> LIBRARIES =
      List.of(
          "joshua.conversation",
          "joshua.network",
          "joshua.network.mcp",
          "joshua.ssh",
          "joshua.state",
          "joshua.thought",
          "joshua.thought.grounding",
          "joshua.thought.reading",
          "joshua.tasks",
          "joshua.tasks.model",
          "joshua.tasks.query",
          "joshua.tasks.store",
          "joshua.tasks.tool",
          "joshua.tasks.verb",
          "joshua.tasks.worker");

  /** A part of the project and the other parts that it may import. */
  private record Part(String packages, List<String> mayKnow) {
    static Part of(String packages, String... mayKnow) {
      return new Part(packages, List.of(mayKnow));
    }

    static Part mad(String packages) {
      return new Part(
          packages, Stream.concat(Stream.of("joshua.kernel.."), LIBRARIES.stream()).toList());
    }
  }

  private static final List<Part> PARTS =
      List.of(
          Part.of("joshua.kernel.."),
          Part.of("joshua.redis..", "joshua.kernel.."),
          Part.of("joshua.conversation..", "joshua.kernel.."),
          Part.of("joshua.network..", "joshua.kernel.."),
          Part.of("joshua.ssh..", "joshua.kernel.."),
          Part.of("joshua.state..", "joshua.kernel.."),
          Part.of("joshua.thought..", "joshua.kernel.."),
          Part.of("joshua.embeddings..", "joshua.kernel.."),
          Part.of(
              "joshua.tasks..",
              "joshua.kernel..",
              "joshua.conversation",
              "joshua.network",
              "joshua.network.mcp",
              "joshua.ssh",
              "joshua.state",
              "joshua.thought"),
          Part.mad("joshua.grace.."),
          Part.mad("joshua.fiedler.."),
          Part.mad("joshua.rogers.."),
          Part.of(
              "joshua.testing..",
              "joshua.kernel..",
              "joshua.redis..",
              "joshua.conversation",
              "joshua.ssh",
              "joshua.thought",
              "joshua.thought.reading"),
          Part.of("joshua.example..", "joshua.kernel..", "joshua.conversation.."),
          Part.of("joshua.bench..", "joshua.."),
          Part.of("joshua.app..", "joshua.."));

  /**
   * An external library, and the one place that may import it; two places for one with two uses.
   */
  private record Adapter(List<String> places, List<String> sees) {
    static Adapter of(String place, String... sees) {
      return new Adapter(List.of(place), List.of(sees));
    }
  }

  private static final List<Adapter> ADAPTERS =
      List.of(
          Adapter.of("joshua.conversation.redis..", "io.lettuce..", "io.netty.."),
          Adapter.of(
              "joshua.network.http..", "io.javalin..", "org.eclipse.jetty..", "jakarta.servlet.."),
          Adapter.of("joshua.network..", "com.networknt.."),
          Adapter.of("joshua.ssh.mina..", "org.apache.sshd..", "org.bouncycastle.."),
          Adapter.of("joshua.state..", "org.sqlite.."),
          new Adapter(
              List.of("joshua.thought.langchain..", "joshua.embeddings.."),
              List.of("dev.langchain4j..")),
          Adapter.of("joshua.app..", "ch.qos.logback..", "net.logstash.."),
          new Adapter(List.of("joshua.ssh.mina..", "joshua.app.."), List.of("org.jline..")),
          // A command is a class with picocli's annotations, next to what it is about.
          new Adapter(
              List.of(
                  "joshua.app..",
                  "joshua.bench..",
                  "joshua.ssh..",
                  "joshua.tasks..",
                  "joshua.grace..",
                  "joshua.fiedler..",
                  "joshua.rogers.."),
              List.of("picocli..")),
          Adapter.of("joshua.testing..", "org.junit..", "org.assertj..", "org.awaitility.."));

  private WhoMayKnowWhom() {}

  static List<ArchRule> rules() {
    List<ArchRule> rules = new ArrayList<>();
    rules.add(everybodyHasAPlace());
    PARTS.forEach(part -> rules.add(knowsOnly(part)));
    ADAPTERS.forEach(adapter -> rules.add(seenOnlyFrom(adapter)));
    rules.add(nothingShippedKnowsTheTests());
    return rules;
  }

  private static ArchRule everybodyHasAPlace() {
    return classes()
        .that()
        .resideInAPackage("joshua..")
        .should()
        .resideInAnyPackage(PARTS.stream().map(Part::packages).toArray(String[]::new))
        .as("Every package has a line in WhoMayKnowWhom");
  }

  private static ArchRule knowsOnly(Part part) {
    DescribedPredicate<JavaClass> strangers =
        resideInAnyPackage("joshua..")
            .and(not(resideInAnyPackage(part.packages())))
            .and(not(resideInAnyPackage(part.mayKnow().toArray(String[]::new))));
    return noClasses()
        .that()
        .resideInAPackage(part.packages())
        .should()
        .dependOnClassesThat(strangers)
        .allowEmptyShould(true)
        .as(part.packages() + " knows only " + part.mayKnow());
  }

  private static ArchRule seenOnlyFrom(Adapter adapter) {
    return noClasses()
        .that()
        .resideOutsideOfPackages(adapter.places().toArray(String[]::new))
        .should()
        .dependOnClassesThat(resideInAnyPackage(adapter.sees().toArray(String[]::new)))
        .allowEmptyShould(true)
        .as(adapter.sees() + " are seen only from " + String.join(", ", adapter.places()));
  }

  private static ArchRule nothingShippedKnowsTheTests() {
    return noClasses()
        .that()
        .resideOutsideOfPackages("joshua.testing..", "joshua.bench..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("joshua.testing..")
        .allowEmptyShould(true)
        .as("Nothing that is shipped knows joshua.testing");
  }
}
