package joshua.app.bridge;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import joshua.app.group.RunFile;
import joshua.app.settings.CommonSettings;
import joshua.app.settings.DataDirectoryOption;
import joshua.network.RemoteService;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the service is that a command calls, and by which token. */
public final class ServiceOptions extends DataDirectoryOption {
  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "Its address, if it isn't of the group in the data directory.")
  private @Nullable URI url;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "Holds the token that is shown to it.")
  private @Nullable Path tokenFile;

  /** A service; {@code behind} is put behind its address. */
  RemoteService service(String name, String behind) throws IOException {
    return remote(name, () -> address(name).map(found -> URI.create(found + behind)));
  }

  /** A second service; where {@code --url} is given, it needs an address of its own. */
  Optional<RemoteService> second(String name, @Nullable URI its) throws IOException {
    if (its != null) {
      return Optional.of(remote(name, () -> Optional.of(its)));
    }
    return url == null ? Optional.of(service(name, "")) : Optional.empty();
  }

  private RemoteService remote(String name, RemoteService.Address address) throws IOException {
    return new RemoteService(name, address, token());
  }

  Optional<String> token() throws IOException {
    return CommonSettings.secret(tokenFile);
  }

  /** Where the service is now, which may be elsewhere after its next start. */
  Optional<URI> address(String name) throws IOException {
    return url == null
        ? RunFile.read(dataDirectory()).map(run -> run.services().get(name)).map(URI::create)
        : Optional.of(url);
  }
}
