package joshua.app.redis;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor.Version;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The search for a redis-server or valkey-server to embed: the installed one, which its
 * distribution keeps patched, or else the bundled one, which is of 2024.
 */
public final class RedisProgram {
  private static final String BUNDLED_VERSION = "7.0.15";
  public static final String INSTALL =
      "Install redis-server or valkey-server of version " + BUNDLED_VERSION + " or newer.";
  private static final Pattern PRINTED_VERSION = Pattern.compile("\\bv=([0-9][0-9.]*)");
  private static final int ANSWER_WITHIN_SECONDS = 5;
  private static final int TRIES = 200;

  private RedisProgram() {}

  /**
   * Finds a program on the PATH that is at least as new as the bundled one, or unpacks that.
   *
   * @param directory where the bundled one is unpacked, if need be
   * @throws IOException with a sentence for the user where there is none for this system
   */
  public static Path find(Path directory) throws IOException, InterruptedException {
    Optional<Path> installed = installed();
    return installed.isPresent()
        ? installed.get()
        : unpack(
            bundledName(System.getProperty("os.name"), System.getProperty("os.arch")), directory);
  }

  /** The program on the PATH, if it is new enough. */
  public static Optional<Path> installed() throws InterruptedException {
    for (String name : List.of("redis-server", "valkey-server")) {
      Optional<Path> program = onPath(name);
      if (program.isPresent() && isNewEnough(versionLine(program.get()))) {
        return program;
      }
    }
    return Optional.empty();
  }

  private static Optional<Path> onPath(String program) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin");
    return Stream.of(path.split(File.pathSeparator))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, program).toAbsolutePath())
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }

  private static String versionLine(Path program) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(program.toString(), "--version").redirectErrorStream(true).start();
      try (InputStream out = process.getInputStream()) {
        return process.waitFor(ANSWER_WITHIN_SECONDS, TimeUnit.SECONDS)
            ? new String(out.readNBytes(4096), StandardCharsets.UTF_8)
            : "";
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      return "";
    }
  }

  /** Whether {@code Redis server v=7.0.15 sha=…} is at least the bundled version. */
  static boolean isNewEnough(String versionLine) {
    Matcher printed = PRINTED_VERSION.matcher(versionLine);
    return printed.find()
        && Version.parse(printed.group(1)).compareTo(Version.parse(BUNDLED_VERSION)) >= 0;
  }

  private static Path unpack(String name, Path directory) throws IOException, InterruptedException {
    URL resource = RedisProgram.class.getResource("/" + name);
    if (resource == null) {
      throw new IOException("There is no " + name + " in this build of Joshua. " + INSTALL);
    }
    Path program = directory.resolve(name);
    if (Files.isExecutable(program)
        && Files.size(program) == resource.openConnection().getContentLengthLong()) {
      return program;
    }
    Files.createDirectories(directory);
    Path fresh = Files.createTempFile(directory, name, ".new");
    try (InputStream in = resource.openStream()) {
      Files.copy(in, fresh, StandardCopyOption.REPLACE_EXISTING);
    }
    Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwx------"));
    // A process that another thread is just starting has the file open, and such a file can't run.
    for (int tries = 0; tries < TRIES && versionLine(fresh).isEmpty(); tries++) {
      Thread.onSpinWait();
    }
    return Files.move(
        fresh, program, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** The name of the bundled program for a system, as Java names it. */
  static String bundledName(String osName, String osArch) throws IOException {
    String os = osName.toLowerCase(Locale.ROOT);
    String system = os.startsWith("linux") ? "linux" : os.startsWith("mac") ? "darwin" : "";
    String machine =
        switch (osArch) {
          case "amd64", "x86_64" -> "amd64";
          case "aarch64", "arm64" -> "arm64";
          default -> "";
        };
    if (system.isEmpty() || machine.isEmpty()) {
      throw new IOException(
          "There is no bundled Redis for %s on %s. %s".formatted(osName, osArch, INSTALL));
    }
    return "redis-server-%s-%s-%s".formatted(BUNDLED_VERSION, system, machine);
  }
}
