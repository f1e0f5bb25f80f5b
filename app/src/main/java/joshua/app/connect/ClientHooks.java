package joshua.app.connect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import joshua.kernel.Json;

/**
 * The hooks of a client in a project, which tell it of messages that wait for its name.
 *
 * @param file where they belong
 * @param members what is merged into that file of JSON; empty where the file is all ours
 * @param text the members, or the file
 * @param use what the user has to do, and what the client does then
 */
record ClientHooks(Path file, ObjectNode members, String text, String use) {
  private static final int WAITS_SECONDS = 86_400;
  private static final int LOOKS_SECONDS = 15;

  /** The hooks of a client; empty where it has none that could tell it. */
  static Optional<ClientHooks> of(McpClient client, String name, Invocation joshua) {
    ObjectNode members = Json.object();
    String waiting = joshua.line("wait", name);
    return switch (client) {
      case CLAUDE_CODE -> {
        // In -p it would be waited for, and Cursor, which runs these hooks, too, can't be woken.
        add(members, "Stop", "[ \"$CLAUDE_CODE_ENTRYPOINT\" = cli ] || exit 0; exec " + waiting)
            .put("asyncRewake", true)
            .put("timeout", WAITS_SECONDS);
        add(members, "UserPromptSubmit", looking(name, "claude:UserPromptSubmit", joshua))
            .put("timeout", LOOKS_SECONDS);
        yield merged(
            Path.of(".claude", "settings.local.json"),
            members,
            "Claude Code runs hooks in a folder that you trust; a window that idles is woken.");
      }
      case CODEX -> {
        add(members, "SessionStart", looking(name, "codex:SessionStart", joshua))
            .put("timeout", LOOKS_SECONDS);
        add(
                members,
                "Stop",
                "id=$(sed -n 's/.*\"session_id\":\"\\([^\"]*\\)\".*/\\1/p'); said=$("
                    + waiting
                    + " 2>&1); [ $? != 2 ] || codex queue --thread \"$id\" --message \"$said\" >/dev/null")
            .put("async", true)
            .put("timeout", WAITS_SECONDS);
        yield merged(
            Path.of(".codex", "hooks.json"),
            members,
            "Codex runs hooks in a project that you trust, when you trust them, too (/hooks, t); a"
                + " window that idles is woken.");
      }
      case GEMINI -> {
        add(members, "AfterAgent", looking(name, "gemini:AfterAgent", joshua))
            .put("timeout", 1_000 * LOOKS_SECONDS);
        yield merged(
            Path.of(".gemini", "settings.json"),
            members,
            "Gemini CLI is told at the end of a turn; one that idles can't be woken.");
      }
      case CURSOR -> {
        members
            .put("version", 1)
            .putObject("hooks")
            .putArray("stop")
            .addObject()
            .put("command", looking(name, "cursor:stop", joshua));
        yield merged(
            Path.of(".cursor", "hooks.json"),
            members,
            "Cursor is told at the end of a turn; one that idles can't be woken.");
      }
      case OPENCODE ->
          Optional.of(
              new ClientHooks(
                  Path.of(".opencode", "plugin", "joshua.js"),
                  members,
                  plugin(joshua.of("wait", name)),
                  "OpenCode loads it at its next start; a session that idles is woken."));
      default -> Optional.empty();
    };
  }

  /** Whether the file may have more in it. */
  boolean isMerged() {
    return !members.isEmpty();
  }

  private static Optional<ClientHooks> merged(Path file, ObjectNode members, String use) {
    return Optional.of(new ClientHooks(file, members, ProjectFile.text(members), use));
  }

  private static String looking(String name, String hook, Invocation joshua) {
    return joshua.line("inbox", name, "--hook", hook);
  }

  private static ObjectNode add(ObjectNode members, String event, String command) {
    return members
        .withObjectProperty("hooks")
        .putArray(event)
        .addObject()
        .putArray("hooks")
        .addObject()
        .put("type", "command")
        .put("command", command);
  }

  private static String plugin(List<String> waiting) {
    return """
    // Wakes a session that idles when messages wait for it on the bus. Written by joshua connect.
    const WAIT = %s

    export const Joshua = async ({ client, $ }) => {
      const wake = async (id) => {
        const session = await client.session.get({ path: { id } })
        if (session.data?.parentID) return // a subagent's
        const waited = await $`${WAIT}`.nothrow().quiet()
        if (waited.exitCode !== 2) return // 2: messages wait, as standard error says
        const text = waited.stderr.toString().trim()
        await client.session.promptAsync({ path: { id }, body: { parts: [{ type: "text", text }] } })
      }
      return {
        event: async ({ event }) => {
          if (event.type === "session.idle") wake(event.properties.sessionID).catch(() => {})
        },
      }
    }
    """
        .formatted(Json.mapper().valueToTree(waiting));
  }
}
