package joshua.ssh.socket;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.kernel.Role;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandHost;
import joshua.ssh.CommandOutput;
import joshua.ssh.StyledLine;
import joshua.ssh.TextStyle;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Small verbs of a MAD that show what the socket does with them. */
final class TestVerbs {
  final Semaphore waiting = new Semaphore(0);
  final CountDownLatch interrupted = new CountDownLatch(1);
  final AtomicInteger flooded = new AtomicInteger();

  CommandHost host() {
    return new CommandHost(
        "grace",
        List.of(Say::new, Refuse::new, Wait::new, Flood::new),
        entry -> {},
        InstantSource.system());
  }

  @Command(name = "say", description = "Say who asks, on what, and his words.")
  private static final class Say extends Verb {
    @Parameters(arity = "0..*")
    private List<String> words = new ArrayList<>();

    @Override
    public Role role() {
      return Role.ADMIN;
    }

    @Override
    public void run(AdminCaller adminCaller, CommandOutput commandOutput) {
      commandOutput.lines(
          List.of(
              StyledLine.of(adminCaller.name() + ": " + String.join("|", words), TextStyle.GOOD)));
      commandOutput.remark(commandOutput.live() ? "live" : "not live");
    }
  }

  @Command(name = "refuse", description = "Refuse.")
  private static final class Refuse extends Verb {
    @Override
    public void run(AdminCaller adminCaller, CommandOutput commandOutput)
        throws VerbFailedException {
      throw VerbFailedException.refused("not today");
    }
  }

  /** Waits for an interrupt; on a terminal it prints that terminal's size when released. */
  @Command(name = "wait", description = "Wait.")
  private final class Wait extends Verb {
    @Override
    public void run(AdminCaller adminCaller, CommandOutput commandOutput)
        throws InterruptedException {
      commandOutput.text("waiting\n");
      try {
        while (true) {
          waiting.acquire();
          commandOutput.redraw(List.of(StyledLine.of("x".repeat(1_000))));
        }
      } catch (InterruptedException e) {
        interrupted.countDown();
        throw e;
      }
    }
  }

  @Command(name = "flood", description = "Write twenty thousand numbered lines.")
  private final class Flood extends Verb {
    static final int LINES = 20_000;

    @Override
    public void run(AdminCaller adminCaller, CommandOutput commandOutput) {
      for (int i = 0; i < LINES && !commandOutput.gone(); i++) {
        commandOutput.text("line %06d %s\n".formatted(i, "\u0001é".repeat(40)));
        flooded.incrementAndGet();
      }
    }
  }
}
