package joshua.app.settings;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The file of the keys that may log in by SSH. */
public class AuthorizedKeysOption extends DataDirectoryOption {
  @Option(
      names = "--ssh-authorized-keys",
      paramLabel = "FILE",
      description = "The keys that may log in by SSH; in the data directory if not set.")
  private @Nullable Path file;

  /** Absolute. */
  public final Path authorizedKeys() {
    return file == null
        ? sshDirectory().resolve("authorized_keys")
        : file.toAbsolutePath().normalize();
  }

  /** Where the group keeps what concerns SSH. */
  final Path sshDirectory() {
    return dataDirectory().resolve("ssh");
  }
}
