package joshua.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import joshua.kernel.Json;
import joshua.rules.VulnerabilityList.Part;
import joshua.testing.TestRequirements;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that Joshua consists of the parts in the checked-in list, and has no known vulnerabilities.
 */
class SupplyChainTest {
  private static final Path META_INF = ProjectFiles.ROOT.resolve("app/src/main/resources/META-INF");
  private static final Path LIST =
      ProjectFiles.ROOT.resolve("configs/supply-chain/known-vulnerabilities.json");
  private static final String UPDATE = "run configs/supply-chain/update, and look at what changed";

  private static JsonNode sbom() throws Exception {
    return Json.parse(ProjectFiles.read(META_INF.resolve("sbom/joshua.cdx.json")));
  }

  private static Path built() {
    Path jar = ProjectFiles.ROOT.resolve("app/target/joshua.jar");
    TestRequirements.thing(
        Files.isRegularFile(jar), "needs app/target/joshua.jar: ./joshua prepare");
    return jar;
  }

  @Test
  void theSbomNamesEveryJarOfTheClassPathAndNoOther() throws Exception {
    try (JarFile jar = new JarFile(built().toFile())) {
      String path = jar.getManifest().getMainAttributes().getValue("Class-Path");
      List<String> named = new ArrayList<>();
      for (JsonNode component : sbom().path("components")) {
        named.add(
            "lib/%s-%s.jar"
                .formatted(component.path("name").asText(), component.path("version").asText()));
      }
      assertThat(named).as(UPDATE).containsExactlyInAnyOrder(path.split(" "));
    }
  }

  /** This detects a jar that has changed, wherever it came from. */
  @Test
  void everyJarOfOthersHasTheHashThatTheSbomSays() throws Exception {
    Path lib = built().resolveSibling("lib");
    for (JsonNode component : sbom().path("components")) {
      if (!component.path("group").asText().equals("joshua")) {
        String name =
            "%s-%s.jar"
                .formatted(component.path("name").asText(), component.path("version").asText());
        byte[] digest =
            MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(lib.resolve(name)));
        assertThat(component.path("hashes").path(0).path("content").asText())
            .as("%s; %s", name, UPDATE)
            .isEqualTo(HexFormat.of().formatHex(digest));
      }
    }
  }

  @Test
  void theNoticesNameEveryLibraryWithALicence() throws Exception {
    List<String> lines = ProjectFiles.read(META_INF.resolve("THIRD-PARTY.txt")).lines().toList();
    for (JsonNode component : sbom().path("components")) {
      if (!component.path("group").asText().equals("joshua")) {
        String name =
            Stream.of("group", "name", "version")
                .map(member -> component.path(member).asText())
                .reduce((one, other) -> one + ":" + other)
                .orElseThrow();
        assertThat(lines).as(UPDATE).contains(name);
        assertThat(lines.get(lines.indexOf(name) + 1)).as(name).matches("    \\S.*");
      }
    }
  }

  @Test
  void nothingIsKnownToBeVulnerableThatNobodyHasAccepted() throws Exception {
    VulnerabilityList list = VulnerabilityList.parse(ProjectFiles.read(LIST));
    System.out.println(list.age(LocalDate.now()));
    List<Part> parts = VulnerabilityList.parts(sbom());
    assertThat(parts).contains(new Part("generic", "redis", "7.0.15"));
    assertThat(list.problems(parts)).isEmpty();
    assertThat(list.acceptedInVain(parts)).isEmpty();
  }

  /** Betas of a version count as that version. */
  @Test
  void librariesOfOneFamilyHaveOneVersion() throws Exception {
    Map<String, TreeSet<String>> versions = new TreeMap<>();
    for (Part part : VulnerabilityList.parts(sbom())) {
      if (List.of("dev.langchain4j", "io.netty", "org.eclipse.jetty", "org.apache.sshd")
          .contains(part.group())) {
        versions
            .computeIfAbsent(part.group(), group -> new TreeSet<>())
            .add(part.version().replaceFirst("-beta\\d+$", ""));
      }
    }
    assertThat(versions).hasSize(4).allSatisfy((group, all) -> assertThat(all).hasSize(1));
  }

  // The check itself.

  private static VulnerabilityList planted(String accepted) throws Exception {
    return VulnerabilityList.parse(
        """
        {"checked": "2026-08-01", "entries": [{"id": "CVE-1", "packages": ["io.netty:*"],
         "affected": ["<4.1.118", ">=4.2.0 <4.2.16"], "published": "2026-07-24",
         "source": "https://example.org/1"%s}]}
        """
            .formatted(accepted));
  }

  @Test
  void aPlantedOldVersionIsFound() throws Exception {
    List<Part> parts =
        VulnerabilityList.parts(
            Json.parse(
                """
                {"components": [
                  {"group": "io.netty", "name": "netty-handler", "version": "4.2.15.Final"},
                  {"group": "org.example", "name": "jar", "version": "1", "components": [
                    {"name": "redis", "version": "7.0.15", "purl": "pkg:generic/redis@7.0.15"}]}]}
                """));
    assertThat(planted("").problems(parts))
        .containsExactly(
            "CVE-1 affects io.netty:netty-handler 4.2.15.Final: https://example.org/1");
    assertThat(parts).contains(new Part("generic", "redis", "7.0.15"));
    assertThat(planted(", \"accepted\": \"never called\"").problems(parts)).isEmpty();
    assertThat(planted(", \"accepted\": \" \"").problems(parts)).hasSize(1);
    assertThat(planted(", \"accepted\": \"never called\"").acceptedInVain(List.of()))
        .containsExactly("CVE-1");
  }

  @Test
  void anOldListIsWarnedOf() throws Exception {
    LocalDate checked = planted("").checked();
    assertThat(planted("").age(checked.plusDays(VulnerabilityList.STALE_DAYS)))
        .isEqualTo("known vulnerabilities: 1 entries, checked 2026-08-01, 90 days ago");
    assertThat(planted("").age(checked.plusDays(VulnerabilityList.STALE_DAYS + 1)))
        .contains("91 days ago\nWARNING: that is more than 90 days");
  }

  @Test
  void anEntryWithoutASourceIsRefused() {
    assertThatThrownBy(() ->
            new VulnerabilityList.Entry(
                "CVE-2", List.of("a:b"), List.of("<1"), LocalDate.EPOCH, "hearsay", ""))
        .hasMessageContaining("https source");
  }

  @ParameterizedTest
  @CsvSource({
    "4.2.15.Final, >=4.2.0 <4.2.16, true",
    "4.2.16.Final, >=4.2.0 <4.2.16, false",
    "4.1.200.Final, >=4.2.0 <4.2.16, false",
    "1.86, >=1.66 <1.85, false",
    "1.9, <1.10, true",
    "3.54.1.0, <3.54.1, false",
    "3.54.1.0, <=3.54.1, true",
    "2.0, <2.0.1, true",
    "1.20.0-beta30, >1.20.0, false",
  })
  void versionsAreComparedByTheirNumbers(String version, String range, boolean affected) {
    assertThat(VulnerabilityList.inRange(version, range)).isEqualTo(affected);
  }
}
