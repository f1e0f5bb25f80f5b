package joshua.app.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import joshua.ssh.CommandLineParser;

/**
 * Checks whether other users may read or change files that must be private.
 *
 * @param data whose content is secret, except for files without content
 * @param named files that settings name, and those next to them
 */
public record ModesCheck(Path data, List<Guarded> named) implements HealthCheck {
  private static final String CHECK = "file modes";
  private static final String SOCKET = ".sock";
  private static final int MOST_FILES = 1_000;
  private static final int DEPTH = 2;

  /** In the data directory: databases with their side files, passwords, host keys. */
  private static final Pattern PRIVATE =
      Pattern.compile(
          ".*\\.(password|json|sock|jsonl)|.*\\.db(-.*|\\.replaced.*)?|.*_key|.*\\.pem");

  /** Mounted by Docker for one container alone, with fixed permissions. */
  private static final Path SECRETS = Path.of("/run/secrets");

  private static final Set<PosixFilePermission> WRITE_OF_OTHERS =
      EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

  /**
   * A file that other users may not change.
   *
   * @param secret whether other users may not read it either
   */
  public record Guarded(Path file, boolean secret) {
    boolean isFaulty(Set<PosixFilePermission> mode) {
      Set<PosixFilePermission> others = EnumSet.copyOf(WRITE_OF_OTHERS);
      if (secret) {
        others.add(PosixFilePermission.GROUP_READ);
        others.add(PosixFilePermission.OTHERS_READ);
      }
      return mode.stream().anyMatch(others::contains);
    }
  }

  public ModesCheck {
    named = List.copyOf(named);
  }

  @Override
  public List<CheckFinding> look() {
    if (!data.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return List.of(CheckFinding.leftOut(CHECK, "this system has no modes"));
    }
    List<CheckFinding> findings = new ArrayList<>();
    int looked = 0;
    try {
      if (Files.isDirectory(data)) {
        looked++;
        directory().ifPresent(findings::add);
      }
      List<Guarded> all = new ArrayList<>(named);
      all.addAll(inside());
      for (Guarded guarded : all) {
        if (hasContent(guarded.file()) && !guarded.file().startsWith(SECRETS)) {
          looked++;
          file(guarded).ifPresent(findings::add);
        }
      }
    } catch (IOException e) {
      findings.add(
          CheckFinding.bad(
              CHECK,
              "They can't be read (%s).".formatted(e),
              "Make the files and their directories readable for the user that Joshua runs as."));
    }
    if (findings.isEmpty()) {
      findings.add(CheckFinding.ok(CHECK, "%d files, none too open".formatted(looked)));
    }
    return findings;
  }

  /** An empty file reveals nothing, and what isn't a file may be a shared device. */
  private static boolean hasContent(Path file) throws IOException {
    return Files.isRegularFile(file)
        ? Files.size(file) > 0
        : Files.exists(file) && file.toString().endsWith(SOCKET);
  }

  private Optional<CheckFinding> directory() throws IOException {
    Set<PosixFilePermission> mode = Files.getPosixFilePermissions(data);
    boolean closed = mode.stream().allMatch(permission -> permission.name().startsWith("OWNER_"));
    return closed
        ? Optional.empty()
        : Optional.of(
            CheckFinding.warning(
                CHECK,
                "%s is open to others (%s).".formatted(data, PosixFilePermissions.toString(mode)),
                "chmod 700 " + CommandLineParser.quoted(data.toString())));
  }

  private List<Guarded> inside() throws IOException {
    if (!Files.isDirectory(data)) {
      return List.of();
    }
    try (Stream<Path> walk = Files.walk(data, DEPTH)) {
      return walk.filter(file -> PRIVATE.matcher(file.getFileName().toString()).matches())
          .limit(MOST_FILES)
          .map(file -> new Guarded(file, true))
          .toList();
    }
  }

  private static Optional<CheckFinding> file(Guarded guarded) throws IOException {
    Set<PosixFilePermission> mode = Files.getPosixFilePermissions(guarded.file());
    if (!guarded.isFaulty(mode)) {
      return Optional.empty();
    }
    return Optional.of(
        CheckFinding.bad(
            CHECK,
            "%s can be %s by others (%s)."
                .formatted(
                    guarded.file(),
                    guarded.secret() ? "read or changed" : "changed",
                    PosixFilePermissions.toString(mode)),
            (guarded.secret() ? "chmod 600 " : "chmod go-w ")
                + CommandLineParser.quoted(guarded.file().toString())
                + (guarded.secret()
                    ? " and change the secret, if somebody may have read it"
                    : "")));
  }
}
