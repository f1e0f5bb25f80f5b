package joshua.integration;

import java.util.concurrent.atomic.AtomicInteger;

/** Names that no other test has: {@code t7-bob}. */
final class TestNames {
  private static final AtomicInteger next = new AtomicInteger();

  private final String prefix = "t" + next.incrementAndGet() + "-";

  String of(String name) {
    return prefix + name;
  }
}
