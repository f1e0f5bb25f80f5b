package joshua.app.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import joshua.app.redis.RedisPassword;
import joshua.app.settings.ConsoleCommand;
import joshua.kernel.Identifiers;
import joshua.kernel.PrivateFile;
import joshua.kernel.Role;
import joshua.network.Access;
import joshua.network.TokenFile;
import joshua.ssh.ExitStatus;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code token}: gives out and takes back the tokens of clients (+JN-04). */
@Command(
    name = "token",
    description = "Gives out and takes back the tokens of clients.",
    synopsisSubcommandLabel = "[add | list | revoke]")
public final class TokenCommand extends ConsoleCommand implements Callable<Integer> {
  @Option(
      names = "--tokens-file",
      paramLabel = "FILE",
      description = "The file that up is given by JOSHUA_TOKENS_FILE.")
  private @Nullable Path tokensFile;

  private final Access access;

  public TokenCommand(Access access) {
    this.access = access;
  }

  @Override
  public Integer call() throws IOException {
    list();
    return ExitStatus.OK;
  }

  @Command(
      name = "add",
      description = "Gives out a token, which is shown once.",
      mixinStandardHelpOptions = true)
  void add(
      @Parameters(paramLabel = "CLIENT_ID", description = "Whom it stands for.") String clientId,
      @Parameters(
              paramLabel = "ROLE",
              arity = "0..1",
              defaultValue = "operator",
              description = "viewer, operator or admin; operator if left out.")
          Role role)
      throws IOException {
    if (!Identifiers.isName(clientId) || access.isService(clientId)) {
      throw wrong("CLIENT_ID " + Identifiers.NAME_RULE + ", and isn't a service's name.");
    }
    String token = RedisPassword.random();
    List<String> lines = new ArrayList<>(lines());
    lines.add("%s %s %s".formatted(TokenFile.hash(token), clientId, role.word()));
    write(lines);
    out().println(token);
    err().println("Shown once: keep it in a file, for --token-file of connect, wait, inbox, chat.");
    err().println("Programs send it as Authorization: Bearer TOKEN.");
  }

  @Command(
      name = "list",
      description = "Says who has a token, and what it may do.",
      mixinStandardHelpOptions = true)
  void list() throws IOException {
    List<String> held = lines().stream().filter(line -> !holder(line).isEmpty()).toList();
    held.forEach(line -> out().println(line.strip().replaceFirst("^\\S+\\s+", "")));
    if (held.isEmpty()) {
      err().println("There are none.");
    }
  }

  @Command(
      name = "revoke",
      description = "Takes back all tokens of a client, within a second.",
      mixinStandardHelpOptions = true)
  void revoke(
      @Parameters(paramLabel = "CLIENT_ID", description = "Whose they are.") String clientId)
      throws IOException {
    List<String> before = lines();
    List<String> after = before.stream().filter(line -> !holder(line).equals(clientId)).toList();
    if (after.size() < before.size()) {
      write(after);
    }
    out().println("Revoked %d of %s.".formatted(before.size() - after.size(), clientId));
  }

  /** Whose token a line is; nobody's if it is none. */
  private static String holder(String line) {
    String[] words = line.strip().split("\\s+", -1);
    return words.length == 3 && !words[0].startsWith("#") ? words[1] : "";
  }

  private Path file() {
    if (tokensFile == null) {
      throw wrong("Set JOSHUA_TOKENS_FILE to the file that keeps the tokens.");
    }
    return tokensFile.toAbsolutePath();
  }

  private List<String> lines() throws IOException {
    Path file = file();
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private void write(List<String> lines) throws IOException {
    PrivateFile.write(file(), String.join("\n", lines) + "\n");
  }
}
