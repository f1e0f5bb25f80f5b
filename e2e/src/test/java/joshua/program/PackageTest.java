package joshua.program;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import joshua.program.Program.Run;
import joshua.testing.Await;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./joshua package} makes, unpacked elsewhere. The image holds the same. */
@Tag("slow")
class PackageTest {
  /** All programs of the system that a package needs. */
  private static final List<String> PROGRAMS =
      List.of("dirname", "mkdir", "readlink", "rm", "sh", "sleep");

  /** Modules of parts of libraries that Joshua doesn't use; see app/package. */
  private static final List<String> NOT_USED =
      List.of("java.desktop", "java.rmi", "jdk.httpserver");

  @TempDir private static Path directory;
  private static Path unpacked;

  @BeforeAll
  static void unpack() throws Exception {
    Process packing =
        new ProcessBuilder(Program.LAUNCHER.toString(), "package")
            .redirectError(Redirect.INHERIT)
            .start();
    String said = new String(packing.getInputStream().readAllBytes(), UTF_8);
    assertThat(packing.waitFor()).isZero();
    Path archive = Program.LAUNCHER.resolveSibling(said.strip());
    var tar = new ProcessBuilder("tar", "-xzf", archive.toString()).directory(directory.toFile());
    assertThat(tar.inheritIO().start().waitFor()).isZero();
    unpacked = directory.resolve(archive.getFileName().toString().replace(".tar.gz", ""));
  }

  @Test
  void aGroupRunsWithoutJavaAndWritesNothingWhereItIsInstalled() throws Exception {
    Path path = Files.createDirectory(directory.resolve("path"));
    for (String program : PROGRAMS) {
      Files.createSymbolicLink(path.resolve(program), Path.of("/bin", program));
    }
    Path launcher =
        Files.createSymbolicLink(path.resolve("joshua"), unpacked.resolve("bin/joshua"));
    Map<String, String> environment = new HashMap<>(Program.FREE_PORTS);
    Path cache = directory.resolve("cache");
    environment.put("PATH", path.toString());
    environment.put("HOME", directory.resolve("home").toString());
    environment.put("XDG_CACHE_HOME", cache.toString());
    environment.put("JAVA_HOME", "/none");
    environment.put("JOSHUA_DATA_DIR", directory.resolve("data").toString());
    Set<String> installed = files(unpacked);
    try (Program program = new Program(launcher, directory, environment)) {
      Run up = program.run("up", "-d");
      assertThat(up.complained()).isEmpty();
      assertThat(up.exitStatus()).isZero();
      assertThat(files(program.data().resolve("redis")))
          .anyMatch(each -> each.contains("-7.0.15-"));
      assertThat(program.run("send", "mad.topic.x", "hi").said())
          .isEqualTo("Sent to mad.topic.x: nobody receives it.\n");
      assertThat(program.run("clients").complained()).isEmpty();
      JsonNode written = program.run("connect", "cursor", "--process").json();
      assertThat(written.at("/mcpServers/grace/command").asText())
          .isEqualTo(unpacked.toRealPath().resolve("bin/joshua").toString());
      assertThat(program.run("doctor").said()).contains("ok       message ", "ok       group ");
      assertThat(program.run("stop").exitStatus()).isZero();
      Await.until(
          "the JVM has kept its classes",
          () -> files(cache).stream().anyMatch(each -> each.endsWith(".jsa")));
      assertThat(program.run("--version").complained()).isEmpty();
    }
    assertThat(files(unpacked)).isEqualTo(installed);
  }

  @Test
  void librariesFindTheModulesThatTheyNeed() throws Exception {
    StringWriter found = new StringWriter();
    List<String> words =
        new ArrayList<>(
            List.of("--ignore-missing-deps", "--multi-release", "25", "--print-module-deps"));
    files(unpacked).stream()
        .filter(each -> each.endsWith(".jar") && !each.startsWith("runtime/"))
        .map(each -> unpacked.resolve(each).toString())
        .forEach(words::add);
    PrintWriter out = new PrintWriter(found);
    assertThat(
            ToolProvider.findFirst("jdeps")
                .orElseThrow()
                .run(out, out, words.toArray(String[]::new)))
        .isZero();
    String needed =
        found
            .toString()
            .lines()
            .filter(line -> line.startsWith("java.base,"))
            .findFirst()
            .orElseThrow();
    String linked = Files.readString(unpacked.resolve("runtime/release"));
    assertThat(linked.replaceAll("(?s).*MODULES=\"(.*?)\".*", "$1").split(" "))
        .containsAll(
            Arrays.stream(needed.split(",")).filter(each -> !NOT_USED.contains(each)).toList());
  }

  @Test
  void programsOfOtherSystemsAreLeftOut() throws Exception {
    for (String library : List.of("sqlite-jdbc-", "embedded-redis-")) {
      String name =
          files(unpacked).stream()
              .filter(each -> each.startsWith("lib/" + library))
              .findFirst()
              .orElseThrow();
      try (JarFile jar = new JarFile(unpacked.resolve(name).toFile())) {
        assertThat(
                jar.stream()
                    .filter(entry ->
                        !entry.isDirectory()
                            && entry.getName().matches("redis-server-.*|org/sqlite/native/.*")))
            .as(name)
            .hasSize(1);
      }
    }
  }

  private static Set<String> files(Path below) throws Exception {
    if (!Files.exists(below)) {
      return Set.of();
    }
    try (Stream<Path> files = Files.walk(below)) {
      Set<String> names = new TreeSet<>();
      files.filter(Files::isRegularFile).forEach(it -> names.add(below.relativize(it).toString()));
      return names;
    }
  }
}
