package joshua.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import joshua.program.Program.Run;
import org.junit.jupiter.api.Test;

/** {@code examples/join-the-bus}, outside this repository, with what Maven has installed. */
class ExampleTest extends ProgramTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @Test
  void aProgramOfSomebodyElseJoinsTheBus() throws Exception {
    Path example = copy(ROOT.resolve("examples").resolve("join-the-bus"));
    String install = "-DskipTests -Dspotless.check.skip -pl libs/conversation -am install";
    Run installed = maven(ROOT, install.split(" "));
    assertThat(installed.exitStatus()).as(installed.said()).isZero();

    assertThat(program.run("up", "-d").exitStatus()).isZero();
    String redis = program.runFile().path("redis").asText();
    Path password = program.data().resolve("redis.password");
    String arguments = "-Dexec.args=redis://%s %s".formatted(redis, password);
    Run echo = maven(example, "compile", "exec:java", arguments);
    echo.awaitSaid("echo has joined");
    assertThat(program.run("request", "echo", "{\"n\":1}").said()).isEqualTo("{\"n\":1}\n");
    echo.process().getOutputStream().close();
    assertThat(echo.exitStatus()).as(echo.said()).isZero();
    assertThat(program.run("send", "echo", "hi").said())
        .isEqualTo("Sent to mad.direct.echo: it doesn't listen now, and gets it when it does.\n");
    assertThat(program.run("stop").exitStatus()).isZero();
  }

  private Path copy(Path from) throws IOException {
    Path to = directory.resolve("example");
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = to.resolve(from.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
    return to;
  }

  /** Installs into a repository of this test, and takes what is missing there from the user's. */
  private Run maven(Path where, String... words) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                ROOT.resolve("mvnw").toString(),
                "-B",
                "-ntp",
                "-Dmaven.repo.local=" + directory.resolve("repository"),
                "-Dmaven.repo.local.tail="
                    + Path.of(System.getProperty("user.home"), ".m2", "repository")));
    command.addAll(List.of(words));
    Path out = Files.createTempFile(directory, "maven", ".out");
    Process process =
        new ProcessBuilder(command)
            .directory(where.toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(out.toFile()))
            .start();
    return new Run(process, out, out);
  }
}
