package joshua.rules;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Links from our Markdown to our own files: file and anchor must be there. */
final class MarkdownLinks {
  private static final Pattern ELSEWHERE = Pattern.compile("^[a-z][a-z0-9+.-]*:.*");

  private MarkdownLinks() {}

  /** One line for each broken link. */
  static List<String> broken(Path root, List<Path> files) {
    List<String> broken = new ArrayList<>();
    for (Path file : files) {
      for (MarkdownFile.Link link : MarkdownFile.read(file).links()) {
        fault(root, file, link.target())
            .ifPresent(fault ->
                broken.add(
                    "%s:%d links to %s, %s"
                        .formatted(ProjectFiles.name(file), link.line(), link.target(), fault)));
      }
    }
    return broken;
  }

  private static Optional<String> fault(Path root, Path file, String target) {
    if (ELSEWHERE.matcher(target).matches()) {
      return Optional.empty();
    }
    String[] parts = target.split("#", 2);
    String path = URLDecoder.decode(parts[0].replace("+", "%2B"), StandardCharsets.UTF_8);
    Path linked = path.isEmpty() ? file : file.resolveSibling(path).normalize();
    if (path.startsWith("/") || !linked.startsWith(root)) {
      return Optional.of("which is outside of the project");
    }
    if (!Files.exists(linked)) {
      return Optional.of("which doesn't exist");
    }
    boolean anchored = parts.length == 2 && linked.toString().endsWith(".md");
    return anchored && !MarkdownFile.read(linked).anchors().contains(parts[1])
        ? Optional.of("which has no such heading")
        : Optional.empty();
  }
}
