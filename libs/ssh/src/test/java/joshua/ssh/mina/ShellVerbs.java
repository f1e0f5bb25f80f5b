package joshua.ssh.mina;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import joshua.kernel.Json;
import joshua.kernel.Pause;
import joshua.kernel.Role;
import joshua.ssh.Access;
import joshua.ssh.Line;
import joshua.ssh.LiveVerb;
import joshua.ssh.Report;
import joshua.ssh.Screen;
import joshua.ssh.Style;
import joshua.ssh.Table;
import joshua.ssh.Verb;
import joshua.ssh.VerbFailed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Verbs such as a MAD has: a list, a view that is watched, a long stream, one that is refused. */
final class ShellVerbs {
  private ShellVerbs() {}

  static List<Supplier<? extends Verb>> all() {
    return List.of(Clients::new, Client::new, Top::new, Count::new, Sleep::new, Drop::new);
  }

  @Command(name = "clients", description = "List who is there.")
  static final class Clients extends Verb {
    @Override
    public void run(Access access, Screen screen) {
      screen.show(new Report(Json.object().put("clients", 2), Clients::lines));
    }

    private static List<Line> lines() {
      Table table = new Table("CLIENT", "#WAITING", "STATE");
      table.add("anna", "3", "connected");
      table.add(
          List.of(
              new Line.Piece("b\033[2Jen", Style.PLAIN),
              new Line.Piece("100", Style.DOUBTFUL),
              new Line.Piece("gone", Style.BAD)));
      return table.lines();
    }
  }

  @Command(name = "client", description = "Show one client.")
  static final class Client extends Verb {
    @Parameters(paramLabel = "ID", description = "Which one.")
    private String id = "";

    @Override
    public void run(Access access, Screen screen) throws VerbFailed {
      if (!id.startsWith("client-")) {
        throw VerbFailed.refused("there is no client " + id);
      }
      screen.lines(List.of(Line.of("this is <" + id + ">")));
    }

    @Override
    public List<String> candidates(List<String> before, Access access) {
      return before.isEmpty()
          ? List.of("client-anna", "client-\u202eowned", "client-zoe")
          : List.of();
    }
  }

  @Command(name = "top", description = "Show what goes on, again and again.")
  static final class Top extends LiveVerb {
    private int round;

    Top() {
      super(Pause.system());
    }

    @Override
    protected boolean watches(Screen screen) {
      return asked() || screen.live();
    }

    @Override
    protected Report report(Access access) {
      round++;
      return new Report(Json.object().put("round", round), this::lines);
    }

    private List<Line> lines() {
      Table table = new Table("SENDER", "#A MINUTE", "WHAT IT SENDS, IN AS MANY WORDS AS IT TAKES");
      table.add("round", Integer.toString(round), "begins");
      for (int i = 1; i <= 40; i++) {
        table.add("sender-" + i, Integer.toString(i * 7), "a long text ".repeat(12) + "ends");
      }
      return table.lines();
    }
  }

  @Command(name = "count", description = "Write numbers until it is stopped.")
  static final class Count extends Verb {
    @Override
    public void run(Access access, Screen screen) throws InterruptedException {
      for (int i = 1; !screen.gone(); i++) {
        screen.text("number " + i + "\n");
        Pause.system().pause(Duration.ofMillis(1));
      }
    }
  }

  @Command(name = "sleep", description = "Write a word and wait until it is stopped.")
  static final class Sleep extends Verb {
    @Override
    public void run(Access access, Screen screen) throws InterruptedException {
      screen.text("sleeping");
      try {
        Pause.system().pause(Duration.ofHours(1));
      } finally {
        screen.text(" no more");
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
    public void run(Access access, Screen screen) {
      screen.text("dropped\n");
    }
  }
}
