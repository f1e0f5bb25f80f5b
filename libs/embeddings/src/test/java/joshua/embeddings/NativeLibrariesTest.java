package joshua.embeddings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibrariesTest {
  private static final String ONNX = System.mapLibraryName("onnxruntime");
  private static final String[] WHOLE = {".lock", ONNX, System.mapLibraryName("onnxruntime4j_jni")};

  @TempDir Path directory;

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(each -> each.getFileName().toString()).toList();
    }
  }

  @Test
  void whatAKilledProcessLeftBehindDoesNotStay() throws Exception {
    Files.writeString(directory.resolve(ONNX + ".part"), "half of it");
    assertThat(NativeLibraries.unpack(directory)).isTrue();
    assertThat(files()).containsExactlyInAnyOrder(WHOLE);
    assertThat(Files.size(directory.resolve(ONNX))).isGreaterThan(1_000_000);
  }

  @Test
  void aFailureLeavesNothingBehind() throws Exception {
    Files.createDirectories(directory.resolve(ONNX).resolve("in-the-way"));
    assertThatThrownBy(() -> NativeLibraries.unpack(directory))
        .isInstanceOf(UncheckedIOException.class);
    assertThat(files()).containsExactlyInAnyOrder(".lock", ONNX);
  }

  @Test
  void manyAtOnceUnpackItOnce() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Boolean> unpack = () -> NativeLibraries.unpack(directory);
      for (Future<Boolean> each :
          threads.invokeAll(Stream.generate(() -> unpack).limit(8).toList())) {
        assertThat(each.get()).isTrue();
      }
    }
    assertThat(files()).containsExactlyInAnyOrder(WHOLE);
  }
}
