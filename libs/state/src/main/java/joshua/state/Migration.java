package joshua.state;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A step of a schema, forward only.
 *
 * @param name by which a database knows that it has had it; it never changes
 * @param sql statements, each ended by a semicolon
 */
public record Migration(String name, String sql) {

  /** Reads migrations from files beside a class, in their order. */
  public static List<Migration> beside(Class<?> owner, String... files) {
    List<Migration> migrations = new ArrayList<>();
    for (String file : files) {
      try (InputStream in = owner.getResourceAsStream(file)) {
        if (in == null) {
          throw new IllegalArgumentException("there is no %s beside %s".formatted(file, owner));
        }
        migrations.add(new Migration(file, new String(in.readAllBytes(), StandardCharsets.UTF_8)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return List.copyOf(migrations);
  }
}
