package joshua.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.kernel.TimedWait;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;

/** A view that is shown once, or repeatedly until the client has gone or it is stopped. */
class LiveVerbTest {
  private static final AdminCaller ANNA =
      new AdminCaller("anna", Role.VIEWER, Optional.empty(), "127.0.0.1:50000", "s-1");

  private final AtomicInteger shown = new AtomicInteger();
  private final List<Duration> waits = new ArrayList<>();

  @Command(name = "beat", description = "Count what was shown.")
  private static class Beat extends LiveVerb {
    private final AtomicInteger shown;

    Beat(AtomicInteger shown, TimedWait timedWait) {
      super(timedWait);
      this.shown = shown;
    }

    @Override
    public VerbReport report(AdminCaller adminCaller) {
      int number = shown.incrementAndGet();
      JsonNode json = Json.object().put("beat", number);
      return new VerbReport(json, () -> List.of(StyledLine.of("beat " + number)));
    }
  }

  @Command(name = "top", description = "Watch on every terminal.")
  private static final class Top extends Beat {
    Top(AtomicInteger shown, TimedWait timedWait) {
      super(shown, timedWait);
    }

    @Override
    public boolean watches(CommandOutput commandOutput) {
      return asked() || commandOutput.live();
    }
  }

  @Test
  void showsOnceWhereNothingElseIsAsked() {
    NotedConsole console = NotedConsole.terminal(80, 24);

    assertThat(run("beat", console, 3)).isEqualTo(ExitStatus.OK);

    assertThat(console.out()).isEqualTo("beat 1\n");
    assertThat(waits).isEmpty();
  }

  @Test
  void isRedrawnOnATerminalUntilNobodyReads() {
    NotedConsole console = NotedConsole.terminal(80, 24);

    assertThat(run("beat -w", console, 3)).isEqualTo(ExitStatus.OK);

    assertThat(console.out()).contains("beat 1", "beat 2", "beat 3").doesNotContain("beat 4");
    assertThat(console.out()).contains("\033[H");
    assertThat(waits).hasSize(3).containsOnly(Duration.ofSeconds(2));
  }

  @Test
  void givesProgramsALineOfJsonEachTime() {
    NotedConsole console = NotedConsole.program();

    assertThat(run("beat --every 5 -o json", console, 2)).isEqualTo(ExitStatus.OK);

    assertThat(console.out()).isEqualTo("{\"beat\":1}\n{\"beat\":2}\n");
    assertThat(waits).containsExactly(Duration.ofSeconds(5), Duration.ofSeconds(5));
  }

  @Test
  void aViewToBeWatchedIsWatchedOnATerminalOnly() {
    NotedConsole program = NotedConsole.program();
    assertThat(run("top", program, 2)).isEqualTo(ExitStatus.OK);
    assertThat(program.out()).isEqualTo("beat 1\n");

    NotedConsole terminal = NotedConsole.terminal(80, 24);
    assertThat(run("top", terminal, 2)).isEqualTo(ExitStatus.OK);
    assertThat(terminal.out()).contains("beat 2", "beat 3");
  }

  @Test
  void refusesAnIntervalOutOfBounds() {
    for (String every : List.of("0", "61", "-1")) {
      NotedConsole console = NotedConsole.program();
      assertThat(run("beat --every " + every, console, 1)).isEqualTo(ExitStatus.USAGE);
      assertThat(console.err()).isEqualTo("joshua: --every must be 1 to 60 seconds\n");
    }
    assertThat(shown).hasValue(0);
  }

  @Test
  void endsWhenItIsInterrupted() {
    TimedWait interrupted =
        duration -> {
          throw new InterruptedException();
        };
    CommandHost host =
        new CommandHost(
            "grace",
            List.of(() -> new Beat(shown, interrupted)),
            entry -> {},
            InstantSource.fixed(Instant.EPOCH));

    assertThat(host.run("beat -w", ANNA, NotedConsole.program())).isEqualTo(ExitStatus.INTERRUPTED);
  }

  /** Runs it; the client leaves in the pause of this number. */
  private ExitStatus run(String line, NotedConsole console, int leavesAt) {
    waits.clear();
    TimedWait timedWait =
        duration -> {
          waits.add(duration);
          if (waits.size() == leavesAt) {
            console.leave();
          }
        };
    CommandHost host =
        new CommandHost(
            "grace",
            List.of(() -> new Beat(shown, timedWait), () -> new Top(shown, timedWait)),
            entry -> {},
            InstantSource.fixed(Instant.EPOCH));
    return host.run(line, ANNA, console);
  }
}
