package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandHost;
import joshua.ssh.CommandOutput;
import joshua.ssh.Verb;
import joshua.ssh.socket.AdminSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;

/** Signals to a command line, a separate process, whose command runs in this one. */
class InterruptedVerbIT {
  @TempDir Path data;

  private final CountDownLatch begun = new CountDownLatch(1);
  private final Semaphore interrupts = new Semaphore(0);
  private final CountDownLatch end = new CountDownLatch(1);
  private AdminSocket socket;

  @BeforeEach
  void open() throws Exception {
    CommandHost host =
        new CommandHost(
            "grace", List.of(Wait::new, Stay::new), entry -> {}, InstantSource.system());
    socket = AdminSocket.open(data.resolve("grace/admin.sock"), host);
  }

  @AfterEach
  void close() throws Exception {
    end.countDown();
    socket.close();
  }

  @Command(name = "wait", description = "Wait.")
  private final class Wait extends Verb {
    @Override
    public void run(AdminCaller adminCaller, CommandOutput commandOutput)
        throws InterruptedException {
      begun.countDown();
      end.await();
    }
  }

  @Command(name = "stay", description = "Wait, and don't let oneself be interrupted.")
  private final class Stay extends Verb {
    @Override
    public void run(AdminCaller adminCaller, CommandOutput commandOutput) {
      begun.countDown();
      while (end.getCount() > 0) {
        try {
          end.await();
        } catch (InterruptedException e) {
          interrupts.release();
        }
      }
    }
  }

  private Process run(String verb) throws Exception {
    // Settings come before the subcommand: what follows the MAD belongs to its command.
    List<String> command = ProgramProcess.command("--data-dir", data.toString());
    command.addAll(List.of("at", "grace", verb));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
    return process;
  }

  private static void signal(Process process, String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  @Test
  void ctrlCEndsTheVerbAndItsStatusIsTheProgramsToo() throws Exception {
    Process process = run("wait");
    signal(process, "INT");
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(130);
    assertThat(process.inputReader().lines()).isEmpty();
  }

  @Test
  void theSecondCtrlCWaitsForNothing() throws Exception {
    Process process = run("stay");
    signal(process, "INT");
    assertThat(interrupts.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
    signal(process, "INT");
    assertThat(process.waitFor(2, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(130);
  }

  @Test
  void aVerbThatDoesntEndIsLeftAfterAWhile() throws Exception {
    Process process = run("stay");
    signal(process, "TERM");
    await().atMost(30, TimeUnit.SECONDS).until(() -> !process.isAlive());
    assertThat(process.exitValue()).isEqualTo(143);
  }

  @Test
  void aMadThatGoesAwayIsSaid() throws Exception {
    Process process = run("wait");
    socket.close();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(69);
    assertThat(process.inputReader().lines()).anyMatch(line -> line.contains("grace is stopping"));
  }
}
