package joshua.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The commands of a Markdown file: its blocks in {@code sh}. What stands behind {@code sh} says
 * what becomes of the block; readers of the rendered page don't see it.
 *
 * <ul>
 *   <li>{@code sh run}: it must end with status 0. If an {@code output} block follows, that must be
 *       what it printed; … stands for anything.
 *   <li>{@code sh run in background}: one command; it must print a line, on standard output or
 *       error, and may go on while the others run. Then it must have ended with status 0, or do so
 *       on SIGTERM.
 *   <li>{@code sh run needs redis-cli}: as {@code sh run}, where there is that program. {@code sh
 *       run in background needs redis-cli} goes, too.
 *   <li>{@code sh not run: reason}
 * </ul>
 */
final class MarkdownCommands {
  private static final Pattern RUN =
      Pattern.compile("sh run(?<background> in background)?(?: needs (?<program>[a-z0-9-]+))?");
  private static final Pattern NOT_RUN = Pattern.compile("sh not run: .{10,}");

  /** A block that is run. */
  record Command(
      int line,
      String script,
      boolean background,
      Optional<String> needs,
      Optional<String> output) {

    /** The error in its output, if any. */
    Optional<String> fault(String printed) {
      return output.flatMap(expected -> {
        String regex = Pattern.quote(expected.strip()).replace("…", "\\E(?s:.*?)\\Q");
        return Pattern.matches(regex, printed.strip())
            ? Optional.empty()
            : Optional.of("printed\n%s\ninstead of\n%s".formatted(printed, expected));
      });
    }
  }

  private MarkdownCommands() {}

  /**
   * The commands, in order.
   *
   * @throws IllegalArgumentException if a block in sh doesn't say what becomes of it
   */
  static List<Command> in(MarkdownFile page) {
    List<Command> commands = new ArrayList<>();
    List<MarkdownFile.Block> blocks = page.blocks();
    for (int i = 0; i < blocks.size(); i++) {
      MarkdownFile.Block block = blocks.get(i);
      if (!block.mark().matches("(sh|bash|shell|console)\\b.*")
          || NOT_RUN.matcher(block.mark()).matches()) {
        continue;
      }
      Matcher run = RUN.matcher(block.mark());
      if (!run.matches()) {
        throw new IllegalArgumentException(
            "%s:%d is marked \"%s\"; it must be \"sh run\" or \"sh not run: reason\""
                .formatted(ProjectFiles.name(page.file()), block.line(), block.mark()));
      }
      Optional<String> output =
          i + 1 < blocks.size() && blocks.get(i + 1).mark().equals("output")
              ? Optional.of(blocks.get(i + 1).text())
              : Optional.empty();
      commands.add(
          new Command(
              block.line(),
              block.text(),
              run.group("background") != null,
              Optional.ofNullable(run.group("program")),
              output));
    }
    return commands;
  }
}
