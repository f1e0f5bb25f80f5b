package joshua.ssh.mina;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import joshua.kernel.Role;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandOutput;
import joshua.ssh.StyledLine;
import joshua.ssh.Verb;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Small verbs, with a record of what happened to them. */
final class VerbsForTests {
  final CountDownLatch waiting = new CountDownLatch(1);
  final CountDownLatch interrupted = new CountDownLatch(1);
  volatile long flooded;

  List<Supplier<? extends Verb>> all() {
    return List.of(
        Words::new,
        Who::new,
        Change::new,
        () -> new Wait(this),
        () -> new Flood(this),
        Live::new,
        Complain::new);
  }

  @Command(name = "words", description = "Shows its words, a line each.")
  static final class Words extends Verb {
    @Parameters(arity = "0..*")
    List<String> words = List.of();

    @Override
    public void run(AdminCaller adminCaller, CommandOutput commandOutput) {
      commandOutput.lines(words.stream().map(StyledLine::of).toList());
    }
  }

  @Command(name = "who", description = "Shows who asks.")
  static final class Who extends Verb {
    @Override
    public void run(AdminCaller adminCaller, CommandOutput commandOutput) {
      commandOutput.text(
          "%s %s %s\n"
              .formatted(
                  adminCaller.name(),
                  adminCaller.role().word(),
                  adminCaller.fingerprint().orElse("-")));
    }
  }

  @Command(name = "change", description = "Changes something.")
  static final class Change extends Verb {
    @Override
    public Role role() {
      return Role.OPERATOR;
    }

    @Override
    public void run(AdminCaller adminCaller, CommandOutput commandOutput) {
      commandOutput.text("changed\n");
    }
  }

  @Command(name = "wait", description = "Waits until it is stopped.")
  static final class Wait extends Verb {
    private final VerbsForTests tests;

    Wait(VerbsForTests tests) {
      this.tests = tests;
    }

    @Override
    public void run(AdminCaller adminCaller, CommandOutput commandOutput)
        throws InterruptedException {
      commandOutput.text("waiting\n");
      tests.waiting.countDown();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        tests.interrupted.countDown();
        throw e;
      }
    }
  }

  @Command(name = "flood", description = "Writes without end.")
  static final class Flood extends Verb {
    private static final String PIECE = "0123456789abcde\n".repeat(1024);
    private final VerbsForTests tests;

    Flood(VerbsForTests tests) {
      this.tests = tests;
    }

    @Override
    public void run(AdminCaller adminCaller, CommandOutput commandOutput) {
      tests.waiting.countDown();
      while (!commandOutput.gone() && !Thread.currentThread().isInterrupted()) {
        commandOutput.text(PIECE);
        tests.flooded += PIECE.length();
      }
      tests.interrupted.countDown();
    }
  }

  @Command(name = "complain", description = "Writes 4 MiB of what isn't the answer.")
  static final class Complain extends Verb {
    @Override
    public void run(AdminCaller adminCaller, CommandOutput commandOutput) {
      for (int i = 0; i < 4 * 1024; i++) {
        commandOutput.remark("c".repeat(1024));
      }
      commandOutput.text("done\n");
    }
  }

  @Command(name = "live", description = "Shows whether it is on a terminal.")
  static final class Live extends Verb {
    @Override
    public void run(AdminCaller adminCaller, CommandOutput commandOutput) {
      commandOutput.text("live " + commandOutput.live() + "\n");
    }
  }
}
