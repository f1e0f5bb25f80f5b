package joshua.app.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import joshua.app.settings.ConsoleCommand;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
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
  private static final int MAX_BATCH = 2_000_000; // bytes of a call
  private static final int MAX_CALL = 4_000_000; // of one file
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
  private final Set<String> leftOut = new HashSet<>();
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
          all.filter(file -> !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
              .filter(file -> !isLeftOut(file))
              .sorted()
              .toList();
    }
    ArrayNode batch = Json.object().arrayNode();
    int size = 0;
    for (Path file : files) {
      for (Part part : parts(root.relativize(file).toString(), file)) {
        int bytes = Json.bytes(part.file()).length;
        if (bytes > MAX_CALL) {
          skip(part.name(), "it is larger than %d bytes, as JSON".formatted(MAX_CALL));
          continue;
        } else if (size + bytes > MAX_BATCH && !batch.isEmpty()) {
          give(horace, batch);
          batch.removeAll();
          size = 0;
        }
        batch.add(part.file());
        size += bytes;
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

  /** A file as it is given: an export in JSON that is too large for a call in parts. */
  private List<Part> parts(String path, Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      skip(path, "it is no file, but a link or such");
      return List.of();
    }
    List<Part> parts = new ArrayList<>();
    String content = "";
    try {
      content = Files.readString(file);
      if (content.length() > MAX_BATCH) {
        JsonNode export = Json.parse(content);
        for (Map.Entry<String, JsonNode> each : export.at("/joshua/documents").properties()) {
          ObjectNode one = Json.object();
          one.putObject("joshua").putObject("documents").set(each.getKey(), each.getValue());
          parts.add(new Part(path + ": " + each.getKey(), part(path, one.toString())));
        }
        if (!parts.isEmpty()) {
          ((ObjectNode) export).remove("joshua");
          content = export.toString();
        }
      }
    } catch (MalformedInputException e) {
      skip(path, "it isn't text in UTF-8");
      return List.of();
    } catch (MalformedJsonException e) {
      // It is no export.
    }
    parts.addFirst(new Part(path, part(path, content)));
    return parts;
  }

  /** What one call takes in, and what it is called here. */
  private record Part(String name, ObjectNode file) {}

  /** Whether it is a tool's own, which is said once. */
  private boolean isLeftOut(Path file) {
    List<String> of =
        Stream.of(file.toString().split("[/\\\\]")).filter(LEFT_OUT::contains).toList();
    of.stream().filter(leftOut::add).forEach(each -> skip(each, "it is never taken in"));
    return !of.isEmpty();
  }

  private static ObjectNode part(String path, String content) {
    return Json.object().put("path", path).put("content", content);
  }

  private void skip(String path, String why) {
    out().println("skipped %s: %s".formatted(path, why).replaceAll("\\p{Cntrl}", "?"));
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
      skip(skipped.path("path").asText(), skipped.path("why").asText());
    }
    answer
        .path("renamed")
        .properties()
        .forEach(each ->
            out().println("%s is %s here".formatted(each.getKey(), each.getValue().asText())));
  }
}
