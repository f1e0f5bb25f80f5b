package joshua.rules;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One Markdown file: its links, the anchors that others can link to, and its fenced blocks.
 *
 * @param lines numbered from 1 in what the methods return
 */
record MarkdownFile(Path file, List<String> lines) {
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(<?([^)\\s>]+)[^)]*\\)");
  private static final Pattern DEFINITION =
      Pattern.compile("^\\s{0,3}\\[[^\\]]+]:\\s*<?(\\S+?)>?\\s*$");
  private static final Pattern HEADING = Pattern.compile("^#{1,6}\\s+(.*?)\\s*#*$");
  private static final Pattern HTML_ANCHOR = Pattern.compile("<a\\s+(?:id|name)=\"([^\"]+)\"");
  private static final Pattern FENCE = Pattern.compile("^\\s{0,3}(`{3,}|~{3,})\\s*(.*)$");

  /** A link as it is written. */
  record Link(int line, String target) {}

  /**
   * A fenced block.
   *
   * @param mark the text after the opening fence, for instance {@code sh run}
   */
  record Block(int line, String mark, String text) {}

  static MarkdownFile read(Path file) {
    return new MarkdownFile(file, ProjectFiles.read(file).lines().toList());
  }

  List<Link> links() {
    List<Link> links = new ArrayList<>();
    List<String> prose = prose();
    for (int i = 0; i < prose.size(); i++) {
      String line = prose.get(i).replaceAll("`[^`]*`", "code");
      for (Pattern pattern : List.of(LINK, DEFINITION)) {
        Matcher matcher = pattern.matcher(line);
        while (matcher.find()) {
          links.add(new Link(i + 1, matcher.group(1)));
        }
      }
    }
    return links;
  }

  /** The anchors of its headings, made as GitHub makes them, and those written in HTML. */
  Set<String> anchors() {
    Set<String> anchors = new LinkedHashSet<>();
    Map<String, Integer> seen = new HashMap<>();
    for (String line : prose()) {
      Matcher html = HTML_ANCHOR.matcher(line);
      while (html.find()) {
        anchors.add(html.group(1));
      }
      Matcher heading = HEADING.matcher(line);
      if (heading.matches()) {
        String slug = slug(heading.group(1));
        int before = seen.merge(slug, 1, Integer::sum) - 1;
        anchors.add(before == 0 ? slug : slug + "-" + before);
      }
    }
    return anchors;
  }

  private static String slug(String heading) {
    return heading
        .replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N}\\s_-]", "")
        .replace(' ', '-');
  }

  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    String fence = null;
    String mark = "";
    int start = 0;
    for (int i = 0; i < lines.size(); i++) {
      Matcher matcher = FENCE.matcher(lines.get(i));
      if (fence == null && matcher.matches()) {
        fence = matcher.group(1);
        mark = matcher.group(2).strip();
        start = i + 1;
      } else if (fence != null && lines.get(i).strip().equals(fence)) {
        blocks.add(new Block(start, mark, String.join("\n", lines.subList(start, i))));
        fence = null;
      }
    }
    return blocks;
  }

  /** Its lines, with those within fences emptied. */
  private List<String> prose() {
    List<String> prose = new ArrayList<>();
    String fence = null;
    for (String line : lines) {
      Matcher matcher = FENCE.matcher(line);
      if (fence == null && matcher.matches()) {
        fence = matcher.group(1);
        prose.add("");
      } else if (fence != null) {
        prose.add("");
        fence = line.strip().equals(fence) ? null : fence;
      } else {
        prose.add(line);
      }
    }
    return prose;
  }
}
