package joshua.state;

import java.util.List;
import java.util.stream.Stream;

/**
 * A forward migration of a schema.
 *
 * @param name under which databases record it; must never change
 * @param sql statements, each ended by a semicolon
 */
public record Migration(String name, String sql) {

  /** Loads migrations from files beside a class, in order. */
  public static List<Migration> load(Class<?> owner, String... files) {
    return Stream.of(files).map(file -> new Migration(file, Classpath.read(owner, file))).toList();
  }
}
