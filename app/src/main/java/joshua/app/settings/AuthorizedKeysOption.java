package joshua.app.settings;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The file of the keys that may log in by SSH. */
public final class AuthorizedKeysOption {
  @Mixin private DataDirectoryOption data;

  @Option(
      names = "--ssh-authorized-keys",
      paramLabel = "FILE",
      description = "The keys that may log in by SSH; in the data directory if not set.")
  private @Nullable Path file;

  /** Absolute. */
  public Path path() {
    return file == null
        ? directory().resolve("authorized_keys")
        : file.toAbsolutePath().normalize();
  }

  /** Where the group keeps what concerns SSH. */
  Path directory() {
    return data.path().resolve("ssh");
  }

  /** Where the group is. */
  Path dataDirectory() {
    return data.path();
  }
}
