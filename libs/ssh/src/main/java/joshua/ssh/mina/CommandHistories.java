package joshua.ssh.mina;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The command history of each key's owner, in memory only: it is lost when the MAD ends. When there
 * are too many keys, the least recently used one is dropped. Guarded by its lock.
 */
final class CommandHistories {
  static final int KEYS = 64;
  static final int LINES = 200;

  /** Longer lines aren't kept. */
  static final int LONGEST = 1_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Deque<String>> lines =
      new LinkedHashMap<>(KEYS, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Deque<String>> eldest) {
          return size() > KEYS;
        }
      };

  /** What was typed before, oldest first. */
  List<String> of(String key) {
    lock.lock();
    try {
      return new ArrayList<>(lines.getOrDefault(key, new ArrayDeque<>()));
    } finally {
      lock.unlock();
    }
  }

  void add(String key, String line) {
    if (line.isBlank() || line.length() > LONGEST) {
      return;
    }
    lock.lock();
    try {
      Deque<String> theirs = lines.computeIfAbsent(key, _ -> new ArrayDeque<>());
      if (line.equals(theirs.peekLast())) {
        return;
      }
      theirs.addLast(line);
      if (theirs.size() > LINES) {
        theirs.removeFirst();
      }
    } finally {
      lock.unlock();
    }
  }
}
