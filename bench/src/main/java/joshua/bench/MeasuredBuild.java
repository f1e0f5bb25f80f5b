package joshua.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A checkout that has been built.
 *
 * @param role {@code this} or {@code other}
 * @param home the checkout's directory
 * @param version what it was built from, for people: a commit, or the directory
 */
record MeasuredBuild(String role, Path home, String version) {
  static final String THIS = "this";
  static final String OTHER = "other";

  /** Makes a launcher use our own JDK, and do nothing in the background. */
  static final Map<String, String> LAUNCHER =
      Map.of("JAVA_HOME", System.getProperty("java.home"), "CI", "true");

  /** Builds a checkout, if need be; its launcher reports its progress on standard error. */
  static MeasuredBuild of(String role, Path checkout) throws InterruptedException {
    Path home = checkout.toAbsolutePath().normalize();
    Path launcher = home.resolve("joshua");
    if (!Files.isExecutable(launcher)) {
      throw new BenchmarkException(
          "%s is no checkout of Joshua: it has no ./joshua that could be run.".formatted(home));
    }
    MeasuredBuild build = new MeasuredBuild(role, home, commit(home).orElse(home.toString()));
    build.build();
    return build;
  }

  Path launcher() {
    return home.resolve("joshua");
  }

  private void build() throws InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(launcher().toString(), "version")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().keySet().removeIf(name -> name.startsWith("JOSHUA_"));
    builder.environment().putAll(LAUNCHER);
    try {
      int status = await(builder.start());
      if (status != 0) {
        throw new BenchmarkException(
            "%s version ended with status %d; nothing can be measured of what can't be built."
                .formatted(launcher(), status));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int await(Process build) throws InterruptedException {
    try {
      return build.waitFor();
    } catch (InterruptedException e) {
      build.descendants().forEach(ProcessHandle::destroy);
      build.destroy();
      throw e;
    }
  }

  /** The commit that is checked out, and whether files differ from it. */
  private static Optional<String> commit(Path home) throws InterruptedException {
    return git(home, "rev-parse", "--short", "HEAD")
        .flatMap(commit -> changes(home).map(changes -> commit + changes));
  }

  private static Optional<String> changes(Path home) {
    try {
      return git(home, "status", "--porcelain", "--untracked-files=no")
          .map(changed -> changed.isEmpty() ? "" : " with changes");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** What a git command prints; empty if it fails, or there is no git. */
  static Optional<String> git(Path home, String... words) throws InterruptedException {
    List<String> command = new ArrayList<>(List.of("git", "-C", home.toString()));
    command.addAll(List.of(words));
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String printed =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return process.waitFor() == 0 ? Optional.of(printed) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
