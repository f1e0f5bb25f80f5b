package joshua.app;

import java.util.List;

/** The main program. */
public final class Main {
  private Main() {}

  /** Every subcommand, in the order in which help lists them. */
  static List<Object> subcommands() {
    return List.of(
        new UpCommand(),
        new StopCommand(),
        new GraceCommand(),
        new FiedlerCommand(),
        new RogersCommand(),
        new McpCommand(),
        new ConnectCommand(),
        new SendCommand(),
        new RequestCommand(),
        new TailCommand(),
        new AtCommand(),
        new AskCommand(),
        new TaskCommand(),
        new StatusCommand(),
        new TopCommand(),
        new TraceCommand(),
        new ClientsCommand(),
        new LogsCommand(),
        new DoctorCommand(),
        new BackupCommand(),
        new RestoreCommand(),
        new TokenCommand(),
        new KeysCommand(),
        new ConfigCommand(),
        new CompletionCommand(),
        new VersionCommand());
  }

  public static void main(String[] args) {
    System.setProperty("java.util.logging.config.class", JulToSlf4j.class.getName());
    ProcessEnvironment around = ProcessEnvironment.ofThisProcess();
    int status = new CommandTree(around, subcommands()).run(args);
    around.out().flush();
    System.exit(status);
  }
}
