package joshua.app.connect;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import joshua.kernel.Json;
import joshua.state.Classpath;

/**
 * The hooks of a client in a project, which tell it of messages that wait for its name.
 *
 * @param file to which they belong; one of JSON may have more in it
 * @param text the file, or the members to merge into it
 * @param use what the user has to do, and what the client does then
 */
record ClientHooks(Path file, String text, String use) {
  private static final JsonStringEncoder ENCODER = JsonStringEncoder.getInstance();

  /** The hooks of a client; empty where it has none that could tell it. */
  static Optional<ClientHooks> of(McpClient client, String name, Invocation joshua) {
    return Optional.ofNullable(
            switch (client) {
              case CLAUDE_CODE ->
                  template(
                      "claude-code-hooks.json",
                      Path.of(".claude", "settings.local.json"),
                      "Claude Code runs hooks in a folder that you trust; a window that idles is woken, and calls the"
                          + " relay without asking, since nobody may be there.");
              case CODEX ->
                  template(
                      "codex-hooks.json",
                      Path.of(".codex", "hooks.json"),
                      "Codex runs hooks in a project that you trust, when you trust them, too"
                          + " (/hooks, t); a window that idles is woken.");
              case GEMINI ->
                  template(
                      "gemini-hooks.json",
                      Path.of(".gemini", "settings.json"),
                      "Gemini CLI is told at the end of a turn; one that idles can't be woken.");
              case CURSOR ->
                  template(
                      "cursor-hooks.json",
                      Path.of(".cursor", "hooks.json"),
                      "Cursor is told at the end of a turn; one that idles can't be woken.");
              case OPENCODE ->
                  template(
                      "opencode-plugin.js",
                      Path.of(".opencode", "plugin", "joshua.js"),
                      "OpenCode loads it at its next start; a session that idles is woken.");
              default -> null;
            })
        .map(template ->
            template
                .with("WAIT", joshua.line("wait", name))
                .with("INBOX", joshua.line("inbox", name)));
  }

  /** The same, with a command whose output begins each session, where the client takes that. */
  ClientHooks withSessionStart(McpClient client, String command) {
    if (client != McpClient.CLAUDE_CODE && client != McpClient.CODEX) {
      return this;
    }
    ObjectNode all = (ObjectNode) Json.parseTrusted(text.getBytes(UTF_8));
    all.withObject("/hooks")
        .withArray("SessionStart")
        .addObject()
        .putArray("hooks")
        .addObject()
        .put("type", "command")
        .put("command", command)
        .put("timeout", 15);
    if (client == McpClient.CLAUDE_CODE) {
      all.withArray("/permissions/allow").add("mcp__horace__*");
    }
    return new ClientHooks(file, all.toPrettyString(), use);
  }

  /** Whether this directory has hooks for a name already. */
  static boolean areHere(McpClient client, String name) throws IOException {
    Optional<ClientHooks> hooks = of(client, name, new Invocation("joshua", List.of()));
    Pattern waits = Pattern.compile("(wait|inbox) %s(?![\\w.:-])".formatted(Pattern.quote(name)));
    return hooks.isPresent()
        && Files.exists(hooks.get().file())
        && waits.matcher(Files.readString(hooks.get().file())).find();
  }

  private static ClientHooks template(String resource, Path file, String use) {
    return new ClientHooks(file, Classpath.read(ClientHooks.class, resource).strip(), use);
  }

  /** The same with a command in place of a word, as a part of a string of JSON or JavaScript. */
  private ClientHooks with(String word, String command) {
    String escaped = new String(ENCODER.quoteAsString(command));
    return new ClientHooks(file, text.replace(word, escaped), use);
  }

  /** Whether the file may have more in it. */
  boolean isMerged() {
    return text.startsWith("{");
  }
}
