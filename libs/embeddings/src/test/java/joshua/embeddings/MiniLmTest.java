package joshua.embeddings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The natives are unpacked once a process: all tests here share {@code target/natives}. */
class MiniLmTest {
  private static final Path NATIVES = Path.of("target", "natives").toAbsolutePath();

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-18T15:30:00Z"));

  private static double likeness(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (double) a[i] * b[i];
    }
    return sum;
  }

  @Test
  void whatMeansTheSameLiesCloseTogether() throws Exception {
    MiniLm model = new MiniLm(NATIVES, now::get);
    float[] one = model.embed("how many tasks are waiting");
    assertThat(one).hasSize(MiniLm.DIMENSIONS);
    assertThat(likeness(one, one)).isBetween(0.999, 1.001);
    assertThat(likeness(one, model.embed("what is the number of pending jobs")))
        .isGreaterThan(likeness(one, model.embed("write a poem about the sea")) + 0.2);
  }

  @Test
  void manyThreadsGetWhatOneGets() throws Exception {
    MiniLm model = new MiniLm(NATIVES, now::get);
    float[] alone = model.embed("who asks most");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<float[]> again = () -> model.embed("who asks most");
      for (Future<float[]> each :
          threads.invokeAll(Stream.generate(() -> again).limit(20).toList())) {
        assertThat(each.get()).containsExactly(alone);
      }
    }
  }

  @Test
  void aTextIsNeitherEmptyNorEndless() throws Exception {
    MiniLm model = new MiniLm(NATIVES, now::get);
    assertThat(model.embed("a".repeat(MiniLm.MAX_CHARACTERS))).hasSize(MiniLm.DIMENSIONS);
    for (String text : List.of(" ", "a".repeat(MiniLm.MAX_CHARACTERS + 1))) {
      assertThatThrownBy(() -> model.embed(text)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void theNativeLibrariesAreUnpackedWhereItWasSaid() throws Exception {
    new MiniLm(NATIVES, now::get).load();
    try (Stream<Path> files = Files.walk(NATIVES)) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .contains(System.mapLibraryName("onnxruntime"), System.mapLibraryName("tokenizers"));
    }
  }

  @Test
  void afterAFailureItIsLeftAloneForAWhile(@TempDir Path directory) throws Exception {
    Path inTheWay = Files.writeString(directory.resolve("native"), "no directory");
    MiniLm model = new MiniLm(inTheWay, now::get);
    assertThatThrownBy(() -> model.embed("who asks most"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Make that directory writable")
        .hasCauseInstanceOf(UncheckedIOException.class);
    Files.delete(inTheWay);
    now.updateAndGet(before -> before.plus(MiniLm.LEFT_ALONE).minusMillis(1));
    assertThatThrownBy(model::load).isInstanceOf(IllegalStateException.class);
    assertThat(inTheWay).doesNotExist();
    now.updateAndGet(before -> before.plusMillis(1));
    assertThat(model.embed("who asks most")).hasSize(MiniLm.DIMENSIONS);
  }
}
