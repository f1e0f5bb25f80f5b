package joshua.app.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import joshua.app.settings.AuthorizedKeysOption;
import joshua.app.settings.ConsoleCommand;
import joshua.kernel.PrivateFile;
import joshua.kernel.Role;
import joshua.network.Access;
import joshua.ssh.ExitStatus;
import joshua.ssh.mina.AuthorizedKeys;
import joshua.ssh.mina.AuthorizedKeys.AuthorizedKey;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code keys}: who may log in by SSH (REQ-JS-06). */
@Command(
    name = "keys",
    description = "Says who may log in by SSH, and as what.",
    synopsisSubcommandLabel = "[add | list | revoke]")
public final class KeysCommand extends ConsoleCommand implements Callable<Integer> {
  @Mixin private AuthorizedKeysOption options;

  private final Access access;

  public KeysCommand(Access access) {
    this.access = access;
  }

  @Override
  public Integer call() throws IOException {
    list();
    return ExitStatus.OK;
  }

  @Command(
      name = "add",
      description = "Lets a public key log in, within a few seconds.",
      mixinStandardHelpOptions = true)
  void add(
      @Parameters(paramLabel = "FILE", description = "The public key, ~/.ssh/id_ed25519.pub.")
          Path file,
      @Parameters(
              paramLabel = "ROLE",
              arity = "0..1",
              defaultValue = "operator",
              description = "viewer, operator or admin; operator if left out.")
          Role role,
      @Option(
              names = "--name",
              paramLabel = "NAME",
              description = "Whom it stands for; the key's comment if left out.")
          @Nullable String name)
      throws IOException {
    var _ =
        AuthorizedKeys.read(
            options.authorizedKeys(), access); // no key counts in a file that isn't fit
    List<String> lines = lines();
    if (name != null) {
      requireName("NAME", name);
    }
    String text = read(file);
    if (text.contains("PRIVATE KEY")) {
      throw wrong("%s is a private key; name the public one, %1$s.pub".formatted(file));
    }
    for (String line : text.lines().toList()) {
      AuthorizedKey key = key(file, line).orElse(null);
      if (key != null) {
        AuthorizedKey added = key(file, key.line(role, Optional.ofNullable(name))).orElseThrow();
        lines.removeIf(is(other -> other.fingerprint().equals(added.fingerprint())));
        lines.add(added.line());
        out().printf("%s may log in, as %s, in a few seconds.%n", added.name(), role.word());
      }
    }
    PrivateFile.write(options.authorizedKeys(), String.join("\n", lines) + "\n");
  }

  private Optional<AuthorizedKey> key(Path file, String line) {
    try {
      return AuthorizedKeys.key(line, access);
    } catch (IllegalArgumentException e) {
      throw wrong("%s is no public key that can log in: %s".formatted(file, e.getMessage()));
    }
  }

  @Command(
      name = "list",
      description = "Says which keys may log in, and as what.",
      mixinStandardHelpOptions = true)
  void list() throws IOException {
    AuthorizedKeys keys = AuthorizedKeys.read(options.authorizedKeys(), access);
    for (AuthorizedKey key : keys.keys()) {
      out().printf("%-20s %-8s %s%n", key.name(), key.role().word(), key.fingerprint());
    }
    keys.faults().forEach(err()::println);
    if (keys.keys().isEmpty()) {
      err().println("There are none.");
    }
  }

  @Command(
      name = "revoke",
      description = "Takes back the keys of somebody, and ends their sessions.",
      mixinStandardHelpOptions = true)
  void revoke(
      @Parameters(paramLabel = "NAME", description = "Their name, or a key's fingerprint.")
          String name)
      throws IOException {
    List<String> lines = lines();
    int before = lines.size();
    lines.removeIf(is(key -> key.name().equals(name) || key.fingerprint().equals(name)));
    if (lines.size() < before) {
      PrivateFile.write(options.authorizedKeys(), String.join("\n", lines) + "\n");
    }
    out().printf("Revoked %d of %s.%n", before - lines.size(), name);
  }

  /** Whether a line is a key that is such. */
  private Predicate<String> is(Predicate<AuthorizedKey> such) {
    return line -> {
      try {
        return AuthorizedKeys.key(line, access).filter(such).isPresent();
      } catch (IllegalArgumentException e) {
        return false;
      }
    };
  }

  private List<String> lines() throws IOException {
    Path file = options.authorizedKeys();
    return Files.exists(file) ? new ArrayList<>(read(file).lines().toList()) : new ArrayList<>();
  }

  private static String read(Path file) throws IOException {
    try {
      return new String(Files.readAllBytes(file), UTF_8);
    } catch (IOException e) {
      throw new IOException("%s can't be read (%s).".formatted(file, e), e);
    }
  }
}
