package joshua.app.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import joshua.app.settings.ConsoleCommand;
import joshua.kernel.Json;
import joshua.network.RemoteService;
import joshua.ssh.ExitStatus;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code import}: reads files here, and gives them to the shared memory in several calls. */
@Command(
    name = "import",
    description = "Takes files into a project of shared memory: exports, Diverga's, any others.")
public final class ImportCommand extends ConsoleCommand implements Callable<Integer> {
  private static final int MAX_BATCH = 2_000_000;
  private static final List<String> LEFT_OUT = List.of(".git", "node_modules");

  @Mixin private ServiceOptions options;

  @Parameters(paramLabel = "DIR|FILE", description = "What to take in; it isn't changed.")
  private Path from;

  @Option(names = "--project", paramLabel = "ID", description = "Which; default if left out.")
  private @Nullable String project;

  @Option(names = "--dry-run", description = "Only say what would be taken in.")
  private boolean dry;

  private final String person;
  private final Map<String, Integer> imported = new TreeMap<>();
  private int unchanged;

  /** The command; {@code person} is the author of what it takes in, unless a token says who. */
  public ImportCommand(String person) {
    this.person = person;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    RemoteService horace = options.service("horace", "");
    Path whole = from.toAbsolutePath();
    if (!Files.exists(whole)) {
      throw wrong("There is no %s.".formatted(from));
    }
    Path root = Files.isDirectory(whole) ? whole : Objects.requireNonNull(whole.getParent());
    List<Path> files;
    try (Stream<Path> all = Files.walk(whole)) {
      files =
          all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
              .filter(
                  file -> Stream.of(file.toString().split("[/\\\\]")).noneMatch(LEFT_OUT::contains))
              .sorted()
              .toList();
    }
    ArrayNode batch = Json.object().arrayNode();
    int size = 0;
    for (Path file : files) {
      try {
        String content = Files.readString(file);
        if (size + content.length() > MAX_BATCH && !batch.isEmpty()) {
          give(horace, batch);
          batch.removeAll();
          size = 0;
        }
        batch.addObject().put("path", root.relativize(file).toString()).put("content", content);
        size += content.length();
      } catch (MalformedInputException e) {
        out().println("skipped %s: it isn't text in UTF-8".formatted(file));
      }
    }
    if (!batch.isEmpty()) {
      give(horace, batch);
    }
    String what = imported.isEmpty() ? "nothing" : imported.toString().replaceAll("[{}]", "");
    out()
        .println(
            "%s %s; unchanged %d".formatted(dry ? "would take in" : "took in", what, unchanged));
    return ExitStatus.OK;
  }

  private void give(RemoteService horace, ArrayNode batch)
      throws IOException, InterruptedException {
    String author = options.token().isEmpty() ? person : null;
    ObjectNode input =
        Json.object().put("dry_run", dry).put("project", project).put("client_id", author);
    JsonNode answer = horace.call("project_import", input.set("files", batch));
    answer
        .path("imported")
        .properties()
        .forEach(each -> imported.merge(each.getKey(), each.getValue().asInt(), Integer::sum));
    unchanged += answer.path("unchanged").asInt();
    for (JsonNode skipped : answer.path("skipped")) {
      out()
          .println(
              "skipped %s: %s"
                  .formatted(skipped.path("path").asText(), skipped.path("why").asText()));
    }
  }
}
