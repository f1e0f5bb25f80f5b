package joshua.state;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import joshua.kernel.ResourceText;

/**
 * One step of a schema, from {@code number - 1} to {@code number}. Once released it doesn't change;
 * the next change is the next number.
 *
 * @param number from 1, without gaps
 * @param name what it adds, for logs
 * @param sql one statement or several
 */
public record Migration(int number, String name, String sql) {
  private static final Pattern FILE = Pattern.compile("(\\d{4})-([a-z0-9-]+)\\.sql");

  public Migration {
    if (number < 1) {
      throw new IllegalArgumentException("migrations are numbered from 1, not " + number);
    }
    if (sql.isBlank()) {
      throw new IllegalArgumentException("migration " + number + " does nothing");
    }
  }

  /**
   * Reads migrations from files beside a class.
   *
   * @param files named {@code 0001-tasks.sql} and so on, in order
   */
  public static List<Migration> files(Class<?> beside, String... files) {
    return Stream.of(files).map(file -> read(beside, file)).toList();
  }

  private static Migration read(Class<?> beside, String file) {
    Matcher parts = FILE.matcher(file);
    if (!parts.matches()) {
      throw new IllegalArgumentException(file + " is not named like 0001-tasks.sql");
    }
    String sql =
        ResourceText.beside(beside, file)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "there is no " + file + " beside " + beside.getName()));
    return new Migration(Integer.parseInt(parts.group(1)), parts.group(2), sql);
  }

  /** The newest schema version of a list, after checking that it has no gaps. */
  static int newest(List<Migration> migrations) {
    for (int i = 0; i < migrations.size(); i++) {
      if (migrations.get(i).number() != i + 1) {
        throw new IllegalArgumentException(
            "migration %d stands at place %d".formatted(migrations.get(i).number(), i + 1));
      }
    }
    return migrations.size();
  }
}
