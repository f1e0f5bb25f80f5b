package joshua.state;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows into records, the columns in the order of the components: String, int, long, boolean,
 * Integer, Long, Instant (milliseconds since 1970), UUID (text), and enums (their names).
 */
record RecordReader<R extends Record>(Constructor<R> constructor, List<Column> columns) {
  private static final ClassValue<RecordReader<?>> READERS =
      new ClassValue<>() {
        @Override
        protected RecordReader<?> computeValue(Class<?> type) {
          return make(type.asSubclass(Record.class));
        }
      };

  /** Reads a column of the present row; null where the column is. */
  @FunctionalInterface
  private interface Column {
    @Nullable Object read(ResultSet row, int number) throws SQLException;
  }

  @SuppressWarnings("unchecked") // each class has the reader that was made of it
  static <R extends Record> RecordReader<R> of(Class<R> type) {
    return (RecordReader<R>) READERS.get(type);
  }

  private static <R extends Record> RecordReader<R> make(Class<R> type) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      Constructor<R> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return new RecordReader<>(
          constructor, Arrays.stream(types).map(RecordReader::column).toList());
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Column column(Class<?> type) {
    if (type == String.class) {
      return ResultSet::getString;
    } else if (type == int.class) {
      return ResultSet::getInt;
    } else if (type == long.class) {
      return ResultSet::getLong;
    } else if (type == boolean.class) {
      return ResultSet::getBoolean;
    } else if (type == Integer.class) {
      return (row, number) -> present(row, row.getInt(number));
    } else if (type == Long.class) {
      return (row, number) -> present(row, row.getLong(number));
    } else if (type == Instant.class) {
      return (row, number) -> {
        Long millis = present(row, row.getLong(number));
        return millis == null ? null : Instant.ofEpochMilli(millis);
      };
    } else if (type == UUID.class) {
      return (row, number) -> {
        String text = row.getString(number);
        return text == null ? null : UUID.fromString(text);
      };
    } else if (type.isEnum()) {
      return (row, number) -> {
        String name = row.getString(number);
        return Arrays.stream(type.getEnumConstants())
            .filter(each -> ((Enum<?>) each).name().equals(name))
            .findFirst()
            .orElse(null);
      };
    }
    throw new IllegalArgumentException("a column can't be read as " + type);
  }

  private static <T> @Nullable T present(ResultSet row, T value) throws SQLException {
    return row.wasNull() ? null : value;
  }

  R read(ResultSet row) throws SQLException {
    @Nullable Object[] values = new Object[columns.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = columns.get(i).read(row, i + 1);
    }
    try {
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a row can't be read", e);
    }
  }
}
