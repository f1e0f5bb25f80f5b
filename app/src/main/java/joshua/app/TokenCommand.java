package joshua.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;
import joshua.kernel.KnownSettings;
import joshua.kernel.Role;
import joshua.kernel.Settings;
import joshua.kernel.TimedWait;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code joshua token}: manages the tokens that clients call with, in the tokens file (+JN-04). */
@Command(
    name = "token",
    description = "Create, list or revoke the bearer tokens that clients call with.",
    footer = {
      "",
      "They are kept in the data directory, unless JOSHUA_TOKENS_FILE names a file, and in force in a group that",
      "is started by joshua up --tokens; a running group takes a change within a second. Examples:",
      "  joshua token create ann --role operator",
      "  joshua up --tokens",
      "  joshua token list -o json",
      "  joshua token revoke ann"
    })
final class TokenCommand implements Subcommand {
  /** The actions on tokens. */
  enum Action {
    CREATE,
    LIST,
    REVOKE;

    /** As typed on the command line. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The roles as typed on the command line, for completion. */
  static final class Roles implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(Role.values()).map(Role::word).iterator();
    }
  }

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "ACTION",
      description = "create, list or revoke.")
  private @Nullable Action action;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "CLIENT-ID",
      description = "The identity that a token stands for.")
  private @Nullable String clientId;

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      defaultValue = "operator",
      completionCandidates = Roles.class,
      description = "viewer, operator or admin. Default: ${DEFAULT-VALUE}")
  private Role role = Role.OPERATOR;

  @Mixin private FormatOption format = new FormatOption();

  @Override
  public int run(Settings settings, ProcessEnvironment around) throws Exception {
    List<String> problems = new ArrayList<>();
    if (action == null) {
      problems.add("ACTION is missing: joshua token create|list|revoke");
    } else if (action != Action.LIST
        && !(clientId != null && BusIdentifiers.isIdentifier(clientId))) {
      problems.add("CLIENT-ID " + BusIdentifiers.IDENTIFIER_RULE);
    } else if (action == Action.CREATE) {
      KnownMad.nameProblem(String.valueOf(clientId)).ifPresent(problems::add);
    }
    if (!problems.isEmpty() || action == null) {
      throw new UsageException(problems);
    }
    TokenStore store = new TokenStore(TokenStore.file(settings), TimedWait.system());
    try {
      carryOut(action, String.valueOf(clientId), store, around);
      if (action == Action.CREATE) {
        boolean named = settings.find(KnownSettings.TOKENS_FILE).isPresent();
        around
            .err()
            .printf(
                "joshua: its hash is in %s, in force in a group that is started %swith JOSHUA_TOKENS_FILE=%1$s%n",
                store.file(), named ? "" : "by ./joshua up --tokens, or ");
      }
      return 0;
    } catch (IOException e) {
      throw new ServiceUnavailableException(
          "The tokens file %s can't be changed (%s).".formatted(store.file(), e), e);
    }
  }

  private void carryOut(Action wanted, String identity, TokenStore store, ProcessEnvironment around)
      throws IOException,
          RequestRefusedException,
          ServiceUnavailableException,
          InterruptedException {
    switch (wanted) {
      case CREATE -> {
        String token = store.create(identity, role);
        around
            .out()
            .println(
                format.json()
                    ? Json.write(
                        Json.object()
                            .put("client_id", identity)
                            .put("role", role.word())
                            .put("token", token))
                    : token);
        around
            .err()
            .printf(
                "joshua: that is the token of %s (%s); it is not stored and not shown again.%n",
                identity, role.word());
      }
      case LIST -> list(store.list(), around);
      case REVOKE -> {
        int revoked = store.revoke(identity);
        if (revoked == 0) {
          throw new RequestRefusedException("No token stands for %s.".formatted(identity));
        }
        around
            .out()
            .println(
                format.json()
                    ? Json.write(Json.object().put("client_id", identity).put("revoked", revoked))
                    : "revoked %d tokens of %s".formatted(revoked, identity));
      }
    }
  }

  private void list(List<TokenStore.Listed> tokens, ProcessEnvironment around) {
    if (!format.json()) {
      for (TokenStore.Listed token : tokens) {
        around.out().printf("%s %s %s…%n", token.clientId(), token.role(), token.hashBegins());
      }
      return;
    }
    ArrayNode all = Json.shared().createArrayNode();
    for (TokenStore.Listed token : tokens) {
      all.addObject()
          .put("client_id", token.clientId())
          .put("role", token.role())
          .put("hash_begins", token.hashBegins());
    }
    around.out().println(Json.write(all));
  }
}
