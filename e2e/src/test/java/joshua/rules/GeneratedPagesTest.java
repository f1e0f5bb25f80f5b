package joshua.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.app.Services;
import joshua.app.group.UpCommand;
import joshua.app.settings.SettingSources;
import joshua.kernel.Json;
import joshua.service.ServiceDescriptor;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The files that say what the code says; what they must be is written to {@code target}. */
class GeneratedPagesTest {
  static final String HEAD = "<!-- Generated: see CONTRIBUTING.md. -->\n\n";
  private static final String SERVICES = "  # From here on generated: see CONTRIBUTING.md.\n";

  @Test
  void theSettingsAreThoseOfTheCode() throws Exception {
    StringBuilder page = new StringBuilder(HEAD);
    page.append(
        """
        # Settings

        Each is a flag of `./joshua up` (`--grace-port`), a variable of the environment \
        (`JOSHUA_GRACE_PORT`), or a line
        of `configs/joshua.properties` (`grace-port=…`; \
        `JOSHUA_SETTINGS_FILE` names another file). The former goes before the
        latter. An unknown name stops the start. `./joshua config` shows what is set, and where.

        | variable | default | |
        |---|---|---|
        """);
    CommandSpec up = UpCommand.spec(SettingSources.of(Map.of()), Services.ALL, Services.ACCESS, "");
    up.options().stream()
        .filter(option -> option.longestName().startsWith("--") && option.arity().max() > 0)
        .sorted((a, b) -> a.longestName().compareTo(b.longestName()))
        .forEach(option -> page.append(row(option)));
    page.append("| `JOSHUA_TOKEN_FILE` | | Holds the token that commands show to services. |\n");
    page.append("\nThose of a database for Fiedler are known, and not used yet.\n");
    check("docs/configuration.md", page);
  }

  private static String row(OptionSpec option) {
    String value = option.defaultValue() == null ? "" : "`%s`".formatted(option.defaultValue());
    return "| `%s` | %s | %s |%n"
        .formatted(
            SettingSources.variable(option.longestName().substring(2)),
            value,
            String.join(" ", option.description()).replace("|", "\\|"));
  }

  @Test
  void theToolsAreThoseOfTheServices() throws Exception {
    StringBuilder page = new StringBuilder(HEAD);
    page.append("# Tools\n\n");
    page.append(
        "What the services can be asked to do by MCP and by frames. An answer has the member ");
    page.append("`status`: `success`, or `error` with a\n`code` and a `message`; see ");
    page.append("[Errors](clients.md#errors). Members in bold are needed.\n");
    for (ServiceDescriptor<?> service : Services.ALL) {
      page.append("\n## %s\n\n%s\n".formatted(service.name(), service.sentence()));
      String file = "/joshua/integration/%s-tools.json".formatted(service.name());
      for (JsonNode tool : Json.parse(getClass().getResourceAsStream(file).readAllBytes())) {
        page.append(tool(tool));
      }
    }
    check("docs/tools.md", page);
  }

  private static String tool(JsonNode tool) {
    JsonNode input = tool.path("inputSchema");
    JsonNode output = tool.at("/outputSchema/properties");
    String members =
        input
            .path("properties")
            .propertyStream()
            .map(member -> member(member.getKey(), member.getValue(), input.path("required")))
            .collect(Collectors.joining());
    String answers =
        output
            .propertyStream()
            .filter(member -> !member.getKey().equals("status"))
            .map(member -> "`%s`".formatted(member.getKey()))
            .collect(Collectors.joining(", "));
    return "\n### %s\n\n%s\n\n%s%s"
        .formatted(
            tool.path("name").asText(),
            tool.path("description").asText().replace("<", "&lt;"),
            members.isEmpty() ? "" : "| member | | |\n|---|---|---|\n" + members,
            answers.isEmpty() ? "" : "\nAnswers %s.\n".formatted(answers));
  }

  private static String member(String name, JsonNode schema, JsonNode required) {
    boolean needed = required.valueStream().anyMatch(each -> each.asText().equals(name));
    JsonNode main = schema.has("anyOf") ? schema.at("/anyOf/0") : schema;
    String type =
        main.has("enum")
            ? main.path("enum")
                .valueStream()
                .map(JsonNode::asText)
                .collect(Collectors.joining(", "))
            : main.path("type").asText("any");
    return "| %s | %s | %s |%n"
        .formatted(
            needed ? "**`%s`**".formatted(name) : "`%s`".formatted(name),
            type,
            schema.path("description").asText().replace("|", "\\|").replace("<", "&lt;"));
  }

  /** What stands before the services is written by hand, but for where they are. */
  @Test
  void theContainersAreTheServices() throws Exception {
    String addresses =
        Services.ALL.stream()
            .map(each -> "%1$s=http://%1$s:%2$d".formatted(each.name(), each.port()))
            .collect(Collectors.joining(","));
    String written =
        SourceTree.read("docker-compose.yml")
            .replaceFirst("(_CONSOLE_SERVICES: ).*", "$1" + addresses);
    StringBuilder file =
        new StringBuilder(written.substring(0, written.indexOf(SERVICES) + SERVICES.length()));
    StringBuilder volumes = new StringBuilder();
    for (ServiceDescriptor<?> service : Services.ALL) {
      file.append(
          """

            NAME:
              <<: *service
              command: up NAME
              environment:
                <<: *environment
                JOSHUA_REDIS_URL: redis://NAME:${REDIS_PASSWORD:?Run ./joshua init first}@redis:6379
                JOSHUA_ALLOWED_HOSTS: NAME
                JOSHUA_UPPER_SSH_PORT: 2222
                PORT: NUMBER
              ports: ["127.0.0.1:${UPPER_PORT:-NUMBER}:NUMBER"]
              volumes: ["./configs:/run/joshua:ro", "NAME-data:/data"]
          """
              .replace("NAME", service.name())
              .replace("UPPER", service.name().toUpperCase(Locale.ROOT))
              .replace("NUMBER", Integer.toString(service.port())));
      volumes.append("  %s-data:\n".formatted(service.name()));
    }
    check("docker-compose.yml", file + "\nnetworks:\n  mad-net:\n\nvolumes:\n" + volumes);
  }

  @Test
  void theExampleHasThePortsOfTheServices() throws Exception {
    String ports =
        Services.ALL.stream()
            .map(
                each -> "%s_PORT=%d\n".formatted(each.name().toUpperCase(Locale.ROOT), each.port()))
            .collect(Collectors.joining());
    check(
        ".env.example",
        SourceTree.read(".env.example").replaceFirst("(?m)(^[A-Z]+_PORT=\\d+\n)+", ports));
  }

  private static void check(String name, CharSequence contents) throws IOException {
    Path file = Path.of("target", "generated", name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, contents);
    assertThat(SourceTree.read(name))
        .as("%s; what it must be is in e2e/%s, and ./joshua test --accept writes it", name, file)
        .isEqualTo(contents.toString());
  }

  @Test
  void linksLeadSomewhere() {
    for (String file : SourceTree.files(name -> name.endsWith(".md"))) {
      Stream<String> links =
          Pattern.compile("]\\(([^)]+)\\)")
              .matcher(SourceTree.read(file))
              .results()
              .map(link -> link.group(1))
              .filter(link -> !link.startsWith("http"));
      assertThat(links).as(file).allSatisfy(link -> leads(file, link));
    }
  }

  private static void leads(String file, String link) {
    String[] parts = link.split("#", 2);
    Path target = SourceTree.ROOT.resolve(file);
    if (!parts[0].isEmpty()) {
      target = target.resolveSibling(parts[0]).normalize();
    }
    assertThat(target).exists();
    if (parts.length > 1) {
      assertThat(SourceTree.read(SourceTree.ROOT.relativize(target).toString()).lines())
          .filteredOn(line -> line.startsWith("#"))
          .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
          .map(line -> line.replaceAll("[^a-z0-9 _-]", "").replace(' ', '-'))
          .contains(parts[1]);
    }
  }
}
