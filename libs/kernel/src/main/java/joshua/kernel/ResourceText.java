package joshua.kernel;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A UTF-8 text file that is shipped beside a class. */
public final class ResourceText {
  private ResourceText() {}

  /** The file's text; empty if this build has no such file. */
  public static Optional<String> beside(Class<?> owner, String file) {
    try (InputStream stream = owner.getResourceAsStream(file)) {
      return stream == null
          ? Optional.empty()
          : Optional.of(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
