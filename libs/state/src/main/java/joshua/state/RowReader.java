package joshua.state;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import joshua.kernel.Json;
import org.jspecify.annotations.Nullable;

/**
 * A reader of a row's column, or of its columns into a record, in the order of its components.
 * Types: String, int, long, boolean, Integer, Long, Instant (milliseconds since 1970), UUID and
 * ObjectNode (text), and enums (their names, in either case).
 */
@FunctionalInterface
interface RowReader {
  ClassValue<RowReader> READERS =
      new ClassValue<>() {
        @Override
        protected RowReader computeValue(Class<?> type) {
          return type.isRecord() ? ofRecord(type) : ofColumn(type);
        }
      };

  Map<Class<?>, RowReader> COLUMNS =
      Map.of(
          String.class, (row, column) -> row.getString(column),
          int.class, (row, column) -> row.getInt(column),
          long.class, (row, column) -> row.getLong(column),
          boolean.class, (row, column) -> row.getBoolean(column),
          Integer.class, (row, column) -> present(row, row.getInt(column)),
          Long.class, (row, column) -> present(row, row.getLong(column)),
          Instant.class, (row, column) -> present(row, Instant.ofEpochMilli(row.getLong(column))),
          UUID.class, (row, column) -> uuid(row.getString(column)),
          ObjectNode.class, (row, column) -> object(row.getString(column)));

  /** Null where the column is; a record reads from the first one. */
  @Nullable Object read(ResultSet row, int column) throws SQLException;

  static RowReader of(Class<?> type) {
    return READERS.get(type);
  }

  private static RowReader ofRecord(Class<?> type) {
    Class<?>[] types =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    List<RowReader> columns = Arrays.stream(types).map(RowReader::of).toList();
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return (row, first) -> {
        @Nullable Object[] values = new Object[types.length];
        for (int i = 0; i < values.length; i++) {
          values[i] = columns.get(i).read(row, first + i);
        }
        try {
          return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
          throw new IllegalStateException("a row can't be read", e);
        }
      };
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  private static RowReader ofColumn(Class<?> type) {
    if (type.isEnum()) {
      return (row, column) -> constant(type, row.getString(column));
    }
    return Objects.requireNonNull(COLUMNS.get(type), () -> "a column can't be read as " + type);
  }

  private static @Nullable Object constant(Class<?> type, @Nullable String name) {
    return Arrays.stream(type.getEnumConstants())
        .filter(each -> ((Enum<?>) each).name().equalsIgnoreCase(name))
        .findFirst()
        .orElse(null);
  }

  private static @Nullable UUID uuid(@Nullable String text) {
    return text == null ? null : UUID.fromString(text);
  }

  private static @Nullable ObjectNode object(@Nullable String json) {
    return json == null
        ? null
        : (ObjectNode) Json.parseTrusted(json.getBytes(StandardCharsets.UTF_8));
  }

  private static <T> @Nullable T present(ResultSet row, T value) throws SQLException {
    return row.wasNull() ? null : value;
  }
}
