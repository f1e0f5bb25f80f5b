package joshua.state;

import java.util.List;
import java.util.stream.Stream;

/**
 * A step of a schema, forward only.
 *
 * @param name by which a database knows that it has had it; it never changes
 * @param sql statements, each ended by a semicolon
 */
public record Migration(String name, String sql) {

  /** Reads migrations from files beside a class, in their order. */
  public static List<Migration> beside(Class<?> owner, String... files) {
    return Stream.of(files).map(file -> new Migration(file, Resource.text(owner, file))).toList();
  }
}
