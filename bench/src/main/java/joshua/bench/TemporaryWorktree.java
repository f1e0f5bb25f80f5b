package joshua.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import joshua.testing.TempDirectory;

/**
 * A commit checked out next to the repository, as a git worktree that is removed when this is
 * closed.
 */
final class TemporaryWorktree implements AutoCloseable {
  private final Path repository;
  private final TempDirectory directory;

  private TemporaryWorktree(Path repository, TempDirectory directory) {
    this.repository = repository;
    this.directory = directory;
  }

  /**
   * Checks out a commit.
   *
   * @param ref any name that git knows: a commit, a branch, a tag
   */
  static TemporaryWorktree of(Path repository, String ref) throws InterruptedException {
    String commit =
        MeasuredBuild.git(
                repository, "rev-parse", "--verify", "--end-of-options", ref + "^{commit}")
            .orElseThrow(() ->
                new BenchmarkException(
                    "\"%s\" is neither a directory nor anything that git knows in %s."
                        .formatted(ref, repository)));
    try {
      TemporaryWorktree worktree =
          new TemporaryWorktree(repository, TempDirectory.create("bench-checkout"));
      if (MeasuredBuild.git(
              repository, "worktree", "add", "--detach", worktree.path().toString(), commit)
          .isEmpty()) {
        worktree.close();
        throw new BenchmarkException(
            "git worktree add --detach %s %s failed in %s."
                .formatted(worktree.path(), commit, repository));
      }
      return worktree;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path path() {
    return directory.path().resolve("checkout");
  }

  /** Works on an interrupted thread as well. */
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    try {
      MeasuredBuild.git(repository, "worktree", "remove", "--force", path().toString());
    } catch (InterruptedException e) {
      interrupted = true;
    }
    directory.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
