package joshua.ssh.mina;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.kernel.TimedWait;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandOutput;
import joshua.ssh.LiveVerb;
import joshua.ssh.StyledLine;
import joshua.ssh.TextStyle;
import joshua.ssh.TextTable;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailedException;
import joshua.ssh.VerbReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Verbs such as a MAD has: a list, a live view, a long stream, one that is refused. */
final class ShellVerbs {
  private ShellVerbs() {}

  static List<Supplier<? extends Verb>> all() {
    return List.of(Clients::new, Client::new, Top::new, Count::new, Sleep::new, Drop::new);
  }

  @Command(name = "clients", description = "List who is there.")
  static final class Clients extends Verb {
    @Override
    public void run(AdminCaller adminCaller, CommandOutput commandOutput) {
      commandOutput.show(new VerbReport(Json.object().put("clients", 2), Clients::lines));
    }

    private static List<StyledLine> lines() {
      TextTable textTable = new TextTable("CLIENT", "#WAITING", "STATE");
      textTable.add("anna", "3", "connected");
      textTable.add(
          List.of(
              new StyledLine.Piece("b\033[2Jen", TextStyle.PLAIN),
              new StyledLine.Piece("100", TextStyle.DOUBTFUL),
              new StyledLine.Piece("gone", TextStyle.BAD)));
      return textTable.lines();
    }
  }

  @Command(name = "client", description = "Show one client.")
  static final class Client extends Verb {
    @Parameters(paramLabel = "ID", description = "Which one.")
    private String id = "";

    @Override
    public void run(AdminCaller adminCaller, CommandOutput commandOutput)
        throws VerbFailedException {
      if (!id.startsWith("client-")) {
        throw VerbFailedException.refused("there is no client " + id);
      }
      commandOutput.lines(List.of(StyledLine.of("this is <" + id + ">")));
    }

    @Override
    public List<String> candidates(List<String> before, AdminCaller adminCaller) {
      return before.isEmpty()
          ? List.of("client-anna", "client-\u202eowned", "client-zoe")
          : List.of();
    }
  }

  @Command(name = "top", description = "Show what goes on, again and again.")
  static final class Top extends LiveVerb {
    private int round;

    Top() {
      super(TimedWait.system());
    }

    @Override
    public boolean watches(CommandOutput commandOutput) {
      return asked() || commandOutput.live();
    }

    @Override
    public VerbReport report(AdminCaller adminCaller) {
      round++;
      return new VerbReport(Json.object().put("round", round), this::lines);
    }

    private List<StyledLine> lines() {
      TextTable textTable =
          new TextTable("SENDER", "#A MINUTE", "WHAT IT SENDS, IN AS MANY WORDS AS IT TAKES");
      textTable.add("round", Integer.toString(round), "begins");
      for (int i = 1; i <= 40; i++) {
        textTable.add("sender-" + i, Integer.toString(i * 7), "a long text ".repeat(12) + "ends");
      }
      return textTable.lines();
    }
  }

  @Command(name = "count", description = "Write numbers until it is stopped.")
  static final class Count extends Verb {
    @Override
    public void run(AdminCaller adminCaller, CommandOutput commandOutput)
        throws InterruptedException {
      for (int i = 1; !commandOutput.gone(); i++) {
        commandOutput.text("number " + i + "\n");
        TimedWait.system().pause(Duration.ofMillis(1));
      }
    }
  }

  @Command(name = "sleep", description = "Write a word and wait until it is stopped.")
  static final class Sleep extends Verb {
    @Override
    public void run(AdminCaller adminCaller, CommandOutput commandOutput)
        throws InterruptedException {
      commandOutput.text("sleeping");
      try {
        TimedWait.system().pause(Duration.ofHours(1));
      } finally {
        commandOutput.text(" no more");
      }
    }
  }

  @Command(name = "drop", description = "Drop a client.")
  static final class Drop extends Verb {
    @Override
    public Role role() {
      return Role.OPERATOR;
    }

    @Override
    public void run(AdminCaller adminCaller, CommandOutput commandOutput) {
      commandOutput.text("dropped\n");
    }
  }
}
