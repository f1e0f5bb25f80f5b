package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the launcher {@code ./joshua} in a small installation whose JDK and Maven are scripts: java
 * prints its arguments, mvnw does what {@code mvnw.does} says.
 */
class LauncherTest {
  private static final String JAVA =
      """
      #!/bin/sh
      printf '%s\\n' "$@"
      for flag in "$@"; do
        case $flag in -XX:AOTCacheOutput=*) echo cache >"${flag#*=}" ;; esac
      done
      """;
  private static final String BUILDS =
      """
      echo '[INFO] Building Joshua: app 0.1.0                    [1/1]'
      mkdir -p app/target && echo jar >app/target/joshua.jar
      """;

  @TempDir Path temp;
  private Path home;
  private Path jdk;
  private Path input = Path.of("/dev/null");

  private record Outcome(int status, String out, String err) {}

  @BeforeEach
  void makeHouse() throws Exception {
    home = Files.createDirectory(temp.resolve("the house"));
    Files.createDirectories(home.resolve("app/src/main/java"));
    Files.createDirectory(home.resolve("configs"));
    Files.writeString(home.resolve("pom.xml"), "<project/>");
    Files.writeString(home.resolve("app/src/main/java/A.java"), "class A {}");
    Files.writeString(home.resolve("configs/jvm.options"), "");
    script(home.resolve("joshua"), Files.readString(Path.of("../joshua")));
    script(home.resolve("mvnw"), "#!/bin/sh\n. ./mvnw.does\n");
    mavenDoes(BUILDS);
    jdk = jdk("jdk new", 25);
  }

  private void mavenDoes(String script) throws IOException {
    Files.writeString(home.resolve("mvnw.does"), script);
  }

  private Path jdk(String name, int version) throws IOException {
    Path directory = temp.resolve(name);
    Files.createDirectories(directory.resolve("bin"));
    script(directory.resolve("bin/java"), JAVA);
    script(directory.resolve("bin/javac"), "#!/bin/sh\n");
    Files.writeString(directory.resolve("release"), "JAVA_VERSION=\"" + version + ".0.1\"\n");
    return directory;
  }

  private static void script(Path file, String content) throws IOException {
    Files.writeString(file, content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Outcome joshua(String... args) throws Exception {
    return run(home.resolve("joshua"), Map.of(), args);
  }

  private Outcome run(Path launcher, Map<String, String> environment, String... args)
      throws Exception {
    List<String> command = new java.util.ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(args));
    Path out = Files.createTempFile(temp, "out", "");
    Path err = Files.createTempFile(temp, "err", "");
    ProcessBuilder builder = new ProcessBuilder(command).directory(temp.toFile());
    builder.environment().remove("CI");
    builder.environment().put("JAVA_HOME", jdk.toString());
    builder.environment().putAll(environment);
    builder.redirectInput(input.toFile());
    int status = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start().waitFor();
    return new Outcome(
        status,
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }

  /** As if it had been written a minute after the last build. */
  private static void touch(Path file) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().plus(Duration.ofMinutes(1))));
  }

  @Test
  void theFirstCallBuildsAndTheSecondDoesNot() throws Exception {
    Outcome first = joshua("version");
    assertThat(first.status()).as(first.err()).isZero();
    assertThat(first.err()).contains("building").contains("  app (1/1)");
    Outcome second = joshua("version");
    assertThat(second.err()).isEmpty();
    assertThat(second.out()).isEqualTo(first.out()).endsWith("version\n");
  }

  @Test
  void theInputIsLeftToTheProgram() throws Exception {
    input = Files.writeString(temp.resolve("input"), "for the program");
    mavenDoes("cat >swallowed; " + BUILDS);
    script(jdk.resolve("bin/java"), "#!/bin/sh\ncat\n");
    assertThat(joshua("mcp").out()).isEqualTo("for the program");
    assertThat(home.resolve("swallowed")).isEmptyFile();
  }

  @Test
  void aChangedSourceIsBuilt() throws Exception {
    joshua("version");
    touch(home.resolve("app/src/main/java/A.java"));
    assertThat(joshua("version").err()).contains("building");
  }

  @Test
  void aChangeAmongTestsIsNot() throws Exception {
    joshua("version");
    Files.createDirectories(home.resolve("app/src/test/java"));
    Files.writeString(home.resolve("app/src/test/java/T.java"), "class T {}");
    assertThat(joshua("version").err()).isEmpty();
  }

  @Test
  void aBuildThatFailsShowsItsErrorsAndWhereTheLogIs() throws Exception {
    mavenDoes("echo '[ERROR] A.java:[1,1] nonsense'; echo '[INFO] chatter'; exit 1");
    Outcome outcome = joshua("version");
    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .contains("[ERROR] A.java:[1,1] nonsense")
        .contains(home.resolve("target/launcher/build.log").toString())
        .doesNotContain("chatter");
    mavenDoes(BUILDS);
    assertThat(joshua("version").status()).isZero();
  }

  @Test
  void argumentsArriveAsTheyWereGiven() throws Exception {
    assertThat(joshua("send", "a b", "", "*", "$HOME").out()).endsWith("send\na b\n\n*\n$HOME\n");
  }

  @Test
  void itWorksThroughSymbolicLinks() throws Exception {
    Path link = Files.createSymbolicLink(temp.resolve("link"), Path.of("the house/joshua"));
    Path linkToLink = Files.createSymbolicLink(temp.resolve("other link"), link);
    Outcome outcome = run(linkToLink, Map.of(), "version");
    assertThat(outcome.out()).contains("-Djoshua.home=" + home.toRealPath() + "\n");
  }

  @Test
  void anOldJdkIsPassedOver() throws Exception {
    Path old = jdk("jdk old", 17);
    String path = jdk.resolve("bin") + ":" + System.getenv("PATH");
    Outcome outcome =
        run(home.resolve("joshua"), Map.of("JAVA_HOME", old.toString(), "PATH", path), "version");
    assertThat(outcome.status()).as(outcome.err()).isZero();
    assertThat(home.resolve("target/launcher/java"))
        .hasContent("JAVA_HOME=" + old + "\n" + jdk + "\n");
  }

  @Test
  void aJdkThatIsGoneIsLookedForAnew() throws Exception {
    joshua("version");
    Files.move(jdk, temp.resolve("jdk moved"));
    jdk = temp.resolve("jdk moved");
    assertThat(joshua("version").status()).isZero();
  }

  @Test
  void prepareTrainsACacheThatLaterStartsUseUntilTheNextBuild() throws Exception {
    assertThat(joshua("version").out()).doesNotContain("AOTCache");
    assertThat(joshua("prepare").status()).isZero();
    String cache = "-XX:AOTCache=" + home.toRealPath().resolve("target/launcher/joshua.aot");
    assertThat(joshua("version").out()).contains(cache);
    touch(home.resolve("app/target/joshua.jar"));
    assertThat(joshua("version").out()).doesNotContain("AOTCache");
  }

  @Test
  void theCacheIsLeftAloneWithOtherFlags() throws Exception {
    joshua("prepare");
    touch(home.resolve("configs/jvm.options"));
    assertThat(joshua("version").out()).doesNotContain("AOTCache");
  }

  @Test
  void testsEndWithALineThatSaysNothingWasLeftOut() throws Exception {
    mavenDoes("echo \"[INFO] Tests run: 3, Failures: 0 -- in joshua.ATest\"");
    Outcome outcome = joshua("test");
    assertThat(outcome.status()).isZero();
    assertThat(outcome.out()).isEqualTo("      3 joshua.ATest\n");
    assertThat(outcome.err()).endsWith("joshua: all checks passed; nothing was left out\n");
  }

  @Test
  void testsThatWereLeftOutAreNamedWithTheirReason() throws Exception {
    mavenDoes("mkdir -p app/target/left-out; echo 'a.Test needs wings' >app/target/left-out/a.txt");
    Outcome outcome = joshua("test");
    assertThat(outcome.err())
        .endsWith("a.Test needs wings\njoshua: all checks passed; left out, as said above: 1\n");
    mavenDoes("");
    assertThat(joshua("test").err()).endsWith("nothing was left out\n");
  }

  @Test
  void testsThatFailAreTheExitStatus() throws Exception {
    mavenDoes("echo '[ERROR] a.Test failed'; exit 1");
    Outcome outcome = joshua("test");
    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.out()).contains("[ERROR] a.Test failed");
    assertThat(outcome.err()).endsWith("joshua: checks FAILED; nothing was left out\n");
  }

  @Test
  void testsHearInterruptsAlsoWhereTheyAreStartedWithInterruptsIgnored() throws Exception {
    mavenDoes("trap 'echo yes >heard' INT; kill -s INT $$");
    ProcessBuilder builder =
        new ProcessBuilder(
                "sh",
                "-c",
                "trap '' INT; exec \"$@\"",
                "sh",
                home.resolve("joshua").toString(),
                "test")
            .directory(temp.toFile());
    builder.environment().put("JAVA_HOME", jdk.toString());
    builder.environment().remove("INTERRUPTS_HEARD");
    builder.redirectErrorStream(true).redirectOutput(temp.resolve("output").toFile());
    assertThat(builder.start().waitFor()).isZero();
    assertThat(home.resolve("heard")).hasContent("yes");
  }

  /** Makes java record each start in {@code starts}, and exit with the next of these. */
  private void javaEndsWith(int... statuses) throws IOException {
    StringBuilder ends = new StringBuilder();
    for (int start = 1; start <= statuses.length; start++) {
      ends.append("  %d) exit %d ;;\n".formatted(start, statuses[start - 1]));
    }
    script(
        jdk.resolve("bin/java"),
        """
        #!/bin/sh
        echo "$*" >>starts
        case $(grep -c . starts) in
        %sesac
        exit 99
        """
            .formatted(ends));
  }

  private List<String> starts() throws IOException {
    return Files.readAllLines(temp.resolve("starts"));
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 75, 134, 137})
  void aGroupThatEndsByAFaultIsStartedAgain(int fault) throws Exception {
    javaEndsWith(fault, 0);
    Outcome outcome = joshua("up", "--log-level", "warn");
    assertThat(outcome.status()).isZero();
    assertThat(outcome.err())
        .contains(
            "(exit status %d). Starting it again, 1 of at most 3 times in 10".formatted(fault));
    assertThat(starts()).hasSize(2).allMatch(start -> start.endsWith("up --log-level warn"));
    assertThat(starts().getLast()).contains("-Djoshua.restarted=true");
  }

  @Test
  void afterThreeTimesItIsGivenUp() throws Exception {
    javaEndsWith(75, 3, 137, 75, 0);
    Outcome outcome = joshua("up");
    assertThat(outcome.status()).isEqualTo(75);
    assertThat(outcome.err()).contains("3 of at most 3").contains("which is the most");
    assertThat(starts()).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 69, 70, 130, 143})
  void aGroupThatStoppedOrWasRefusedIsNot(int status) throws Exception {
    javaEndsWith(status, 0);
    assertThat(joshua("up").status()).isEqualTo(status);
    assertThat(starts()).hasSize(1);
  }

  @Test
  void withNoRestartTheGroupEndsWithItsJvm() throws Exception {
    javaEndsWith(75, 0);
    assertThat(joshua("up", "--no-restart").status()).isEqualTo(75);
    assertThat(starts()).hasSize(1).allMatch(start -> !start.contains("joshua.supervisor"));
  }

  @Test
  void whoStartsAGroupInTheBackgroundIsNotStartedAgain() throws Exception {
    javaEndsWith(75, 0);
    assertThat(joshua("up", "-d").status()).isEqualTo(75);
    assertThat(starts()).hasSize(1).allMatch(start -> !start.contains("joshua.supervisor"));
  }

  @Test
  void aMadAloneIsLeftToItsSupervisor() throws Exception {
    javaEndsWith(75, 0);
    assertThat(joshua("grace").status()).isEqualTo(75);
  }

  @Test
  void theInputOfAGroupIsLeftToIt() throws Exception {
    joshua("version");
    input = Files.writeString(temp.resolve("input"), "for the program");
    script(jdk.resolve("bin/java"), "#!/bin/sh\ncat\n");
    assertThat(joshua("up").out()).isEqualTo("for the program");
  }

  @ParameterizedTest
  @ValueSource(strings = {"INT", "TERM", "HUP"})
  void aSignalComesToTheGroupWhichIsNotStartedAgain(String signal) throws Exception {
    joshua("version");
    script(
        jdk.resolve("bin/java"),
        """
        #!/bin/sh
        echo start >>starts
        trap 'kill "$idle"; exit 0' TERM
        sleep 60 & idle=$!
        echo ready
        wait
        """);
    ProcessBuilder builder =
        new ProcessBuilder(
                // As a shell starts it in the foreground, whatever this test has inherited.
                "perl",
                "-e",
                "$SIG{$_} = 'DEFAULT' for qw(INT TERM HUP); exec @ARGV",
                home.resolve("joshua").toString(),
                "up")
            .directory(temp.toFile());
    builder.environment().put("JAVA_HOME", jdk.toString());
    builder.environment().put("CI", "true");
    Process launcher = builder.redirectErrorStream(true).start();
    try (var output = launcher.inputReader()) {
      assertThat(output.readLine()).isEqualTo("ready");
      new ProcessBuilder("kill", "-s", signal, Long.toString(launcher.pid())).start().waitFor();
      assertThat(launcher.waitFor(10, TimeUnit.SECONDS)).isTrue();
      assertThat(launcher.exitValue()).isZero();
      assertThat(starts()).hasSize(1);
    } finally {
      launcher.destroyForcibly();
    }
  }
}
