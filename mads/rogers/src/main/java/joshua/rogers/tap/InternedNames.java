package joshua.rogers.tap;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import joshua.conversation.ByteRange;
import org.jspecify.annotations.Nullable;

/**
 * The names that were heard in this hour, found by their bytes without allocating, up to a limit.
 * Those of the previous hour are kept, so that a name that goes on keeps its counts.
 *
 * <p>Written by the thread that reads the tap; {@link #list} may be called by others.
 */
public final class InternedNames<T extends NamedCount> {
  private static final int SMALLEST = 64;
  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

  /** Creates the object of a new name. */
  public interface Maker<T> {
    T make(ByteRange name);
  }

  /** Open addressing: at most half full. */
  private static final class Table {
    final NamedCount[] places;
    final NamedCount[] members;
    volatile int size;

    Table(int capacity) {
      places = new NamedCount[2 * capacity];
      members = new NamedCount[capacity];
    }
  }

  private final int limit;
  private final long seed;
  private final Maker<T> maker;
  private volatile Table present = new Table(SMALLEST);
  private volatile Table before = new Table(SMALLEST);

  /**
   * Starts empty.
   *
   * @param limit how many names in an hour
   * @param seed so that a sender can't choose names that collide
   */
  public InternedNames(int limit, long seed, Maker<T> maker) {
    this.limit = limit;
    this.seed = seed;
    this.maker = maker;
  }

  /** The object of a name; null when this hour's limit is reached. */
  @Nullable
  public T find(ByteRange name) {
    long hash = hash(name);
    T known = in(present, name, hash);
    return known != null || isFull() ? known : add(name, hash);
  }

  private @Nullable T in(Table table, ByteRange name, long hash) {
    int mask = table.places.length - 1;
    int place = (int) hash & mask;
    for (NamedCount known = table.places[place]; known != null; known = table.places[place]) {
      if (known.isNamed(name)) {
        return cast(known);
      }
      place = (place + 1) & mask;
    }
    return null;
  }

  private T add(ByteRange name, long hash) {
    T named = in(before, name, hash);
    if (named == null) {
      named = maker.make(name);
    }
    Table table = present;
    if (table.size == table.members.length) {
      table = grown(table);
      present = table;
    }
    put(table, named, hash);
    return named;
  }

  private Table grown(Table small) {
    Table large = new Table(2 * small.members.length);
    for (NamedCount member : small.members) {
      put(large, member, hash(member.range()));
    }
    return large;
  }

  private static void put(Table table, NamedCount named, long hash) {
    int mask = table.places.length - 1;
    int place = (int) hash & mask;
    while (table.places[place] != null) {
      place = (place + 1) & mask;
    }
    table.places[place] = named;
    int size = table.size;
    table.members[size] = named;
    table.size = size + 1;
  }

  private long hash(ByteRange name) {
    byte[] bytes = name.array();
    long hash = seed;
    for (int i = name.start(); i < name.end(); i++) {
      hash = (hash ^ bytes[i]) * MIX;
      hash ^= hash >>> 29;
    }
    return hash ^ hash >>> 32;
  }

  /** Begins another hour: names that aren't heard in it are forgotten at its end. */
  public void turn() {
    before = present;
    present = new Table(SMALLEST);
  }

  /** Whether this hour's limit is reached. */
  boolean isFull() {
    return present.size == limit;
  }

  /** The names of this hour and of the previous one; a snapshot. */
  public List<T> list() {
    // In this order: a name that moves over meanwhile is in the older table as well.
    Table now = present;
    Table old = before;
    Set<T> all = new LinkedHashSet<>();
    collect(now, all);
    collect(old, all);
    return List.copyOf(all);
  }

  private void collect(Table table, Set<T> into) {
    int size = table.size;
    for (int i = 0; i < size; i++) {
      into.add(cast(table.members[i]));
    }
  }

  @SuppressWarnings("unchecked") // Nothing else is ever put into the tables.
  private T cast(NamedCount member) {
    return (T) member;
  }
}
