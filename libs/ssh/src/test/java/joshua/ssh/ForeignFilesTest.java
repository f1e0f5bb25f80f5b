package joshua.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.kernel.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Words that look like file names are just words: no verb reads a file of the machine. */
final class ForeignFilesTest {
  @TempDir Path directory;

  /** Prints its words. */
  @Command(name = "say", description = "Say it.")
  private static final class Say extends Verb {
    @Parameters(arity = "0..*")
    private List<String> words = new ArrayList<>();

    @Override
    public void run(AdminCaller adminCaller, CommandOutput commandOutput) {
      commandOutput.text(String.join("|", words));
    }
  }

  /** A console that keeps what is written. */
  private static final class Paper implements AdminConsole {
    private final StringBuilder text = new StringBuilder();

    @Override
    public void out(String written) {
      text.append(written);
    }

    @Override
    public void err(String written) {
      text.append(written);
    }

    @Override
    public boolean gone() {
      return false;
    }

    @Override
    public Optional<Size> terminal() {
      return Optional.empty();
    }
  }

  @Test
  void aWordWithAnAtSignIsNotReadFromAFile() throws Exception {
    Path file = directory.resolve("secret");
    Files.writeString(file, "hunter2 in the file");
    CommandHost host =
        new CommandHost("grace", List.of(Say::new), entry -> {}, InstantSource.system());
    AdminCaller viewer = new AdminCaller("eve", Role.VIEWER, Optional.empty(), "test", "1");
    Paper paper = new Paper();
    assertThat(host.run(List.of("say", "@" + file), viewer, paper)).isEqualTo(ExitStatus.OK);
    assertThat(paper.text).hasToString("@" + file);
  }
}
