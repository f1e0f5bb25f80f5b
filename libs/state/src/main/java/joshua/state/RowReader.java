package joshua.state;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the present row into a record, the columns in the order of the components, or its one
 * column: String, int, long, boolean, Integer, Long, Instant (milliseconds since 1970), UUID
 * (text), and enums (their names).
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

  Map<Class<?>, Column> COLUMNS =
      Map.of(
          String.class, (row, number) -> row.getString(number),
          int.class, (row, number) -> row.getInt(number),
          long.class, (row, number) -> row.getLong(number),
          boolean.class, (row, number) -> row.getBoolean(number),
          Integer.class, (row, number) -> present(row, row.getInt(number)),
          Long.class, (row, number) -> present(row, row.getLong(number)),
          Instant.class, (row, number) -> present(row, Instant.ofEpochMilli(row.getLong(number))),
          UUID.class, (row, number) -> uuid(row.getString(number)));

  Object read(ResultSet row) throws SQLException;

  /** Reads a column of the present row; null where the column is. */
  @FunctionalInterface
  interface Column {
    @Nullable Object read(ResultSet row, int number) throws SQLException;
  }

  static RowReader of(Class<?> type) {
    return READERS.get(type);
  }

  private static RowReader ofColumn(Class<?> type) {
    Column column = column(type);
    return row -> Objects.requireNonNull(column.read(row, 1));
  }

  private static RowReader ofRecord(Class<?> type) {
    Class<?>[] types =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    List<Column> columns = Arrays.stream(types).map(RowReader::column).toList();
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return row -> {
        @Nullable Object[] values = new Object[types.length];
        for (int i = 0; i < values.length; i++) {
          values[i] = columns.get(i).read(row, i + 1);
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

  private static Column column(Class<?> type) {
    Column known = COLUMNS.get(type);
    if (known == null && !type.isEnum()) {
      throw new IllegalArgumentException("a column can't be read as " + type);
    }
    return known != null ? known : (row, number) -> constant(type, row.getString(number));
  }

  private static @Nullable Object constant(Class<?> type, @Nullable String name) {
    return Arrays.stream(type.getEnumConstants())
        .filter(each -> ((Enum<?>) each).name().equals(name))
        .findFirst()
        .orElse(null);
  }

  private static @Nullable UUID uuid(@Nullable String text) {
    return text == null ? null : UUID.fromString(text);
  }

  private static <T> @Nullable T present(ResultSet row, T value) throws SQLException {
    return row.wasNull() ? null : value;
  }
}
