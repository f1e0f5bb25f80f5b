package joshua.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdentifiersTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "0", "agent-1", "a.b_c:d-e", "Z9"})
  void names(String text) {
    assertThat(Identifiers.isName(text)).isTrue();
    assertThat(text).matches(Identifiers.NAME_PATTERN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-a", ".a", "a b", "a\n", "a/b", "ä", "aé", "a*", "a\0", "٣"})
  void noNames(String text) {
    assertThat(Identifiers.isName(text)).isFalse();
  }

  @Test
  void aNameHasAtMost128Characters() {
    assertThat(Identifiers.isName("a".repeat(128))).isTrue();
    assertThat(Identifiers.isName("a".repeat(129))).isFalse();
  }

  @Test
  void aUuidHas36Characters() {
    String text = "01890a5d-ac96-774b-bcce-B302099A8057";
    assertThat(text).matches(Identifiers.UUID_PATTERN);
    assertThat(Identifiers.parseUuid(text)).isEqualTo(UUID.fromString(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "1-1-1-1-1",
        "01890a5d-ac96-774b-bcce-b302099a8057\n", "{01890a5d-ac96-774b-bcce-b302099a8057}",
        "01890a5d-ac96-774b-bcce-b302099a805g", "01890a5dac96-774b-bcce-b302099a-8057",
        "01890a5d-ac96-774b-bcce-b302099a805٣"
      })
  void noUuids(String text) {
    assertThat(Identifiers.parseUuid(text)).isNull();
  }

  @Test
  void idsRiseWithinAMillisecondAndWhenTheClockGoesBack() {
    AtomicLong millis = new AtomicLong(Instant.parse("2026-11-21T12:00:00.123Z").toEpochMilli());
    MonotonicIds source = new MonotonicIds(() -> Instant.ofEpochMilli(millis.get()));
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      ids.add(source.next().toString());
    }
    millis.addAndGet(-5_000);
    ids.add(source.next().toString());
    millis.addAndGet(60_000);
    UUID last = source.next();
    ids.add(last.toString());
    assertThat(ids).isSorted().doesNotHaveDuplicates();
    assertThat(last.version()).isEqualTo(7);
    assertThat(last.variant()).isEqualTo(2);
    assertThat(last.getMostSignificantBits() >>> 16).isEqualTo(millis.get());
  }

  @Test
  void idsOfManyThreadsRiseForEachAndAreAllDifferent() throws Exception {
    MonotonicIds source = new MonotonicIds(InstantSource.fixed(Instant.EPOCH));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<List<String>>> each =
          Collections.nCopies(
              8, () -> Stream.generate(() -> source.next().toString()).limit(5_000).toList());
      Set<String> all = new HashSet<>();
      for (Future<List<String>> one : threads.invokeAll(each)) {
        assertThat(one.get()).isSorted();
        all.addAll(one.get());
      }
      assertThat(all).hasSize(40_000);
    }
  }

  @Test
  void idsOfTwoSourcesAreDifferentInTheSameMillisecond() {
    InstantSource time = InstantSource.fixed(Instant.EPOCH);
    assertThat(new MonotonicIds(time).next()).isNotEqualTo(new MonotonicIds(time).next());
  }
}
