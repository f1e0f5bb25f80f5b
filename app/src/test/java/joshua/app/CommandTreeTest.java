package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import joshua.kernel.KnownSettings;
import joshua.kernel.Setting;
import joshua.kernel.Settings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Isolated // Logging is set up for the whole process.
class CommandTreeTest {
  @TempDir Path home;

  /** An ordinary subcommand, which reports its arguments, or fails on request. */
  @Command(name = "probe", description = "Probe.", footer = "  joshua probe four")
  private static final class Probe implements Subcommand {
    @Option(names = "--fail", description = "How.")
    private String fail = "";

    @Parameters(arity = "0..1", description = "A word.")
    private String word = "";

    private final List<Settings> seen = new ArrayList<>();

    @Override
    public int run(Settings settings, ProcessEnvironment around) throws Exception {
      seen.add(settings);
      return switch (fail) {
        case "unavailable" ->
            throw new ServiceUnavailableException("Port 1 is in use. Set JOSHUA_GRACE_PORT.");
        case "misuse" -> throw new UsageException(List.of("--from is later than --to"));
        case "bug" -> throw new IllegalStateException("secret inner workings");
        default -> word.length();
      };
    }

    @Override
    public boolean listens() {
      return true;
    }
  }

  private final Probe probe = new Probe();

  private TestSurroundings with(Map<String, String> environment) {
    return new TestSurroundings(environment, home);
  }

  private int run(TestSurroundings surroundings, String... args) {
    return surroundings.run(List.of(probe), args);
  }

  @AfterEach
  void loggingAsBefore() {
    LoggingSetup.apply(KnownSettings.LogFormat.TEXT, KnownSettings.LogLevel.WARN, true);
  }

  @Test
  void everySettingIsAFlagOfEverySubcommand() {
    List<String> args = new ArrayList<>(List.of("probe"));
    for (Setting<?> setting : KnownSettings.list()) {
      if (setting.defaultText() != null && !setting.key().equals("settings-file")) {
        args.add(setting.flag() + "=" + setting.defaultText());
      }
    }
    TestSurroundings surroundings = with(Map.of());
    assertThat(run(surroundings, args.toArray(String[]::new))).as(surroundings.err()).isZero();
    assertThat(probe.seen.getFirst().source(KnownSettings.GRACE_PORT))
        .isEqualTo(Settings.Source.FLAG);
  }

  @Test
  void flagsMayStandBeforeTheSubcommandToo() {
    assertThat(run(with(Map.of()), "--grace-port", "1", "probe", "--redis-port", "2")).isZero();
    assertThat(probe.seen.getFirst().get(KnownSettings.GRACE_PORT)).isEqualTo(1);
    assertThat(probe.seen.getFirst().get(KnownSettings.REDIS_PORT)).isEqualTo(2);
  }

  @Test
  void whatTheSubcommandReturnsIsTheExitStatus() {
    assertThat(run(with(Map.of()), "probe", "four")).isEqualTo(4);
  }

  @Test
  void everythingWrongWithACallIsSaidAtOnce() throws Exception {
    Files.createDirectory(home.resolve("configs"));
    Files.writeString(home.resolve("configs/joshua.properties"), "grace-prot=1\n");
    TestSurroundings surroundings =
        with(Map.of("JOSHUA_GRACE_QUEUE_LIMT", "1", "JOSHUA_BIND", "0.0.0.0"));
    assertThat(run(surroundings, "probe", "--grace-pot", "7", "--rate-limit=0")).isEqualTo(2);
    assertThat(surroundings.err().lines())
        .hasSize(5)
        .allMatch(line -> line.startsWith("joshua: "))
        .anyMatch(line -> line.contains("--grace-pot is not a flag; did you mean --grace-port?"))
        .anyMatch(line -> line.contains("--rate-limit must be a whole number"))
        .anyMatch(line -> line.contains("did you mean JOSHUA_GRACE_QUEUE_LIMIT?"))
        .anyMatch(line -> line.contains("grace-prot is not a setting in "))
        .anyMatch(line -> line.contains("JOSHUA_BIND is 0.0.0.0"));
    assertThat(probe.seen).isEmpty();
  }

  @Test
  void offLoopbackTheListenersNeedATokensFile() {
    TestSurroundings surroundings = with(Map.of("JOSHUA_BIND", "0.0.0.0"));
    assertThat(run(surroundings, "probe")).isEqualTo(2);
    assertThat(surroundings.err()).contains("JOSHUA_TOKENS_FILE");
    assertThat(run(surroundings, "probe", "--tokens-file", "tokens")).isZero();
    assertThat(run(with(Map.of("JOSHUA_BIND", "::1")), "probe")).isZero();
    assertThat(run(with(Map.of("JOSHUA_BIND", "127.0.0.2")), "probe")).isZero();
  }

  @Test
  void anUnknownSubcommandIsGuessedAt() {
    TestSurroundings surroundings = with(Map.of());
    assertThat(run(surroundings, "prob")).isEqualTo(2);
    assertThat(surroundings.err())
        .isEqualTo(
            "joshua: \"prob\" is not a command of joshua; did you mean probe?"
                + System.lineSeparator());
  }

  @Test
  void anArgumentTooManyIsRefused() {
    TestSurroundings surroundings = with(Map.of());
    assertThat(run(surroundings, "probe", "a", "b")).isEqualTo(2);
    assertThat(surroundings.err()).contains("\"b\" is one argument too many for joshua probe");
  }

  @Test
  void aFlagWithoutItsValueIsRefused() {
    TestSurroundings surroundings = with(Map.of());
    assertThat(run(surroundings, "probe", "--grace-port")).isEqualTo(2);
    assertThat(surroundings.err()).contains("--grace-port");
  }

  @Test
  void whatIsUnavailableIsNamedWithExitStatus69AndNoStackTrace() {
    TestSurroundings surroundings = with(Map.of());
    assertThat(run(surroundings, "probe", "--fail=unavailable")).isEqualTo(69);
    assertThat(surroundings.err())
        .isEqualTo("joshua: Port 1 is in use. Set JOSHUA_GRACE_PORT." + System.lineSeparator());
  }

  @Test
  void misuseIsExitStatus2() {
    TestSurroundings surroundings = with(Map.of());
    assertThat(run(surroundings, "probe", "--fail=misuse")).isEqualTo(2);
    assertThat(surroundings.err()).contains("joshua: --from is later than --to");
  }

  @Test
  void aMistakeOfOursIsExitStatus70AndTheUserIsSpared() {
    TestSurroundings surroundings = with(Map.of());
    assertThat(run(surroundings, "probe", "--fail=bug")).isEqualTo(70);
    assertThat(surroundings.err()).contains("mistake of its own").doesNotContain("secret inner");
  }

  @Test
  void aloneItPrintsTheHelp() {
    TestSurroundings surroundings = with(Map.of());
    assertThat(run(surroundings)).isZero();
    assertThat(surroundings.out())
        .startsWith("Usage: joshua")
        .contains("probe")
        .doesNotContain("--grace-queue-bytes");
  }

  @Test
  void aSubcommandsHelpEndsWithItsExamplesAndTellsOfSettings() {
    TestSurroundings surroundings = with(Map.of());
    assertThat(run(surroundings, "probe", "--help")).isZero();
    assertThat(surroundings.out())
        .contains("  joshua probe four", "Every setting is a flag, too")
        .doesNotContain("--grace-queue-bytes");
  }

  @Test
  void everySubcommandHasAnExample() {
    for (Object subcommand : Main.subcommands()) {
      TestSurroundings surroundings = with(Map.of());
      String name = CommandSpec.forAnnotatedObject(subcommand).name();
      assertThat(surroundings.run(name, "--help")).isZero();
      assertThat(surroundings.out()).containsPattern("(?m)^  .*joshua " + name);
    }
  }

  @Test
  void helpAndVersionNeedNoValidSettings() {
    Map<String, String> wrong = Map.of("JOSHUA_NONSENSE", "1");
    for (String[] call :
        List.of(
            new String[] {"probe", "--help"},
            new String[] {"help", "probe"},
            new String[] {"--version"})) {
      TestSurroundings surroundings = with(wrong);
      assertThat(run(surroundings, call)).as(surroundings.err()).isZero();
      assertThat(surroundings.out()).containsAnyOf("Usage: joshua probe", "joshua unpackaged");
    }
  }
}
