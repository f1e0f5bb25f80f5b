package joshua.app.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import joshua.kernel.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which clients have hooks, and what becomes of hooks of others. */
class ClientHooksTest {
  private static final Invocation JOSHUA =
      new Invocation("/opt/my joshua/bin/joshua", List.of("--data-dir", "/data"));

  @TempDir private Path directory;

  @Test
  void clientsThatCanBeToldHaveThem() {
    assertThat(
            Stream.of(McpClient.values())
                .filter(client -> ClientHooks.of(client, "ann", JOSHUA).isPresent()))
        .containsExactly(
            McpClient.CLAUDE_CODE,
            McpClient.CODEX,
            McpClient.GEMINI,
            McpClient.OPENCODE,
            McpClient.CURSOR);
    assertThat(ClientHooks.of(McpClient.OPENCODE, "ann", JOSHUA).orElseThrow().text())
        .contains("\"'/opt/my joshua/bin/joshua' wait ann --data-dir /data\"");
  }

  @Test
  void othersStayAndOursAreReplaced() throws Exception {
    Path file = directory.resolve("settings.local.json");
    String others =
        """
        {"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say joshua waits"}]}],"X":[]},"a":1,
        "permissions":{"allow":["Bash(ls)"],"deny":[]}}\
        """;
    Files.writeString(file, others);
    assertThat(merged(file, "ann"))
        .contains("  + hooks.UserPromptSubmit: ")
        .doesNotContain("hooks.X");
    assertThat(directory.resolve("settings.local.json.bak")).hasContent(others);
    merged(file, "bob");
    JsonNode after = Json.parse(Files.readString(file));
    assertThat(after.at("/hooks/Stop/0/hooks/0/command").asText()).isEqualTo("say joshua waits");
    assertThat(after.at("/hooks/Stop/1/hooks/0/command").asText())
        .endsWith(" exec '/opt/my joshua/bin/joshua' wait bob --data-dir /data");
    assertThat(after.at("/hooks/Stop")).hasSize(2);
    assertThat(after.path("permissions").toString())
        .isEqualTo("{\"allow\":[\"Bash(ls)\",\"mcp__grace__*\"],\"deny\":[]}");
    assertThat(after.path("a").asInt()).isEqualTo(1);
    assertThat(merged(file, "bob")).endsWith(" has this already.\n");

    Files.writeString(file, "{\"hooks\":{\"Stop\":{}}}");
    assertThatThrownBy(() -> merged(file, "ann"))
        .isInstanceOf(IOException.class)
        .hasMessageMatching("hooks.Stop of .* isn't an array; the file is left alone.");
  }

  private static String merged(Path path, String name) throws IOException {
    var shown = new StringWriter();
    ProjectFile file = ProjectFile.read(path);
    file.merge(ClientHooks.of(McpClient.CLAUDE_CODE, name, JOSHUA).orElseThrow().text());
    file.write(new PrintWriter(shown));
    return shown.toString();
  }
}
