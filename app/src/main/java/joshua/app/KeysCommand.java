package joshua.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;
import joshua.kernel.KnownSettings;
import joshua.kernel.Role;
import joshua.kernel.Settings;
import joshua.kernel.TimedWait;
import joshua.ssh.AuthorizedKeysLocation;
import joshua.ssh.OutputFormat;
import joshua.ssh.StyledLine;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code joshua keys}: manages the SSH keys that may log in, in {@code authorized_keys}
 * (REQ-JS-06).
 */
@Command(
    name = "keys",
    description = "Add, list, revoke or rotate the public keys that may log in by SSH.",
    footer = {
      "",
      "The next login goes by the change; sessions of a revoked key end within 5 s. Examples:",
      "  joshua keys add ann.pub --role operator --from 10.0.0.0/8",
      "  joshua keys list -o json",
      "  joshua keys rotate ann ann-2.pub",
      "  joshua keys revoke ann"
    })
final class KeysCommand implements Subcommand {
  /** The actions on keys. */
  enum Action {
    ADD("FILE"),
    LIST(""),
    REVOKE("NAME"),
    ROTATE("NAME FILE");

    private final String needs;

    Action(String needs) {
      this.needs = needs;
    }

    List<String> needs() {
      return needs.isEmpty() ? List.of() : List.of(needs.split(" "));
    }
  }

  private static final String STANDARD_INPUT = "-";
  private static final String INIT_HAS_MADE = "configs/secrets/ssh/authorized_keys";

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "ACTION",
      description = "add, list, revoke or rotate.")
  private @Nullable Action action;

  @Parameters(
      index = "1",
      arity = "0..2",
      paramLabel = "WHICH",
      description =
          "add FILE, a public key, or - for standard input; revoke NAME; rotate NAME FILE. A"
              + " fingerprint, SHA256:…, may stand for NAME.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      defaultValue = "viewer",
      description = "viewer, operator or admin, for add. Default: ${DEFAULT-VALUE}")
  private Role role = Role.VIEWER;

  @Option(
      names = "--from",
      paramLabel = "ADDRESSES",
      description = "Where it may come from, for add: 192.0.2.0/24,!192.0.2.7. Default: anywhere")
  private @Nullable String from;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Whose it is, for add. Default: the key's comment")
  private @Nullable String name;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "table or json, for list. Default: table")
  private OutputFormat format = OutputFormat.TABLE;

  @Override
  public int run(Settings settings, ProcessEnvironment around) throws Exception {
    Action wanted = check();
    AuthorizedKeysLocation location = location(settings, around);
    Optional<Path> former = location.formerInForce();
    KeysFile file = new KeysFile(location, TimedWait.system());
    KeysEditor editor = new KeysEditor(file);
    switch (wanted) {
      case LIST -> list(file, around);
      case ADD -> {
        PublicKeyText key = given(words.getFirst(), around);
        refuseServiceName(named().or(key::comment));
        around.out().println(editor.add(key, role, Optional.ofNullable(from), named()));
        if (named().isEmpty() && !key.isNamed()) {
          around
              .err()
              .println(
                  "joshua: its comment is no name, so that one is made of the fingerprint; --name"
                      + " gives another.");
        }
      }
      case REVOKE -> around.out().println(editor.revoke(words.getFirst()));
      case ROTATE ->
          around.out().println(editor.rotate(words.getFirst(), given(words.getLast(), around)));
    }
    if (wanted != Action.LIST) {
      former.ifPresent(from ->
          around.err().printf("joshua: copied the keys of %s, which are read no more.%n", from));
      around.err().printf("joshua: changed %s%n", location.file());
    }
    return 0;
  }

  /** If init has run, the file that it created is used, unless another is named. */
  private static AuthorizedKeysLocation location(Settings settings, ProcessEnvironment around) {
    Path made = around.home().resolve(INIT_HAS_MADE);
    return Files.exists(made) && !settings.isSet(KnownSettings.SSH_AUTHORIZED_KEYS)
        ? AuthorizedKeysLocation.named(made)
        : AuthorizedKeysLocation.of(settings);
  }

  private Optional<String> named() {
    return Optional.ofNullable(name);
  }

  private static void refuseServiceName(Optional<String> who) throws RequestRefusedException {
    Optional<String> problem = who.flatMap(KnownMad::nameProblem);
    if (problem.isPresent()) {
      throw new RequestRefusedException(
          "The key isn't added: %s with --name.".formatted(problem.get()));
    }
  }

  private Action check() throws UsageException {
    List<String> problems = new ArrayList<>();
    if (action == null) {
      problems.add("ACTION is missing: joshua keys add|list|revoke|rotate");
    } else if (words.size() != action.needs().size()) {
      problems.add(
          "it is written so: joshua keys %s %s"
              .formatted(action.name().toLowerCase(Locale.ROOT), action.needs)
              .strip());
    }
    if (name != null && !BusIdentifiers.isIdentifier(name)) {
      problems.add("--name " + BusIdentifiers.IDENTIFIER_RULE);
    }
    if (action == null || !problems.isEmpty()) {
      throw new UsageException(problems);
    }
    return action;
  }

  private void list(KeysFile file, ProcessEnvironment around) throws RequestRefusedException {
    KeysPage page = new KeysPage(file.location().inForce(), file.read());
    if (format == OutputFormat.JSON) {
      around.out().println(Json.write(page.json()));
    } else {
      page.lines().stream()
          .map(StyledLine::plain)
          .map(String::stripTrailing)
          .forEach(around.out()::println);
    }
  }

  private static PublicKeyText given(String word, ProcessEnvironment around)
      throws RequestRefusedException, ServiceUnavailableException {
    boolean piped = word.equals(STANDARD_INPUT);
    String source = piped ? "What was piped in" : word;
    Path file = around.workingDirectory().resolve(word);
    try (InputStream in = piped ? System.in : Files.newInputStream(file)) {
      return PublicKeyText.read(
          new String(in.readNBytes(PublicKeyText.LONGEST + 1), UTF_8), source);
    } catch (IOException e) {
      throw new ServiceUnavailableException(
          "%s can't be read (%s). Name a file with a public key."
              .formatted(source, e.getClass().getSimpleName()),
          e);
    }
  }
}
