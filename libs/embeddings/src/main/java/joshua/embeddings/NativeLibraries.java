package joshua.embeddings;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The native libraries of the model's two engines, unpacked from their jars into one directory.
 * What is there already is used again: a process that was killed leaves nothing behind that the
 * next one adds to.
 */
final class NativeLibraries {
  private static final List<String> ONNX = List.of("onnxruntime", "onnxruntime4j_jni");
  private static final String LOCK = ".lock";

  /** A file's lock is the whole process's. */
  private static final ReentrantLock IN_PROCESS = new ReentrantLock();

  private NativeLibraries() {}

  /** Sets the library path of both engines, and keeps the one that could download from doing so. */
  static void prepare(Path directory) {
    Path onnx = directory.resolve("onnxruntime");
    if (unpack(onnx)) {
      unlessSet("onnxruntime.native.path", onnx.toString());
    }
    unlessSet("DJL_CACHE_DIR", directory.toString());
    unlessSet("ai.djl.offline", "true");
    unlessSet("RUST_FLAVOR", "cpu");
    unlessSet("OPT_OUT_TRACKING", "true");
  }

  /**
   * Unpacks ONNX Runtime, one process at a time.
   *
   * @return whether it is there; the engine unpacks it itself where it isn't
   */
  static boolean unpack(Path directory) {
    if (ONNX.stream().allMatch(library -> isThere(library, directory))) {
      return true;
    }
    IN_PROCESS.lock();
    try {
      Files.createDirectories(directory);
      try (FileChannel file =
              FileChannel.open(
                  directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock held = file.lock()) {
        boolean all = held.isValid();
        for (String library : ONNX) {
          all &= unpack(library, directory);
        }
        return all;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      IN_PROCESS.unlock();
    }
  }

  private static void unlessSet(String name, String value) {
    if (System.getenv(name) == null && System.getProperty(name) == null) {
      System.setProperty(name, value);
    }
  }

  private static boolean unpack(String library, Path directory) throws IOException {
    URL packed = packed(library);
    if (packed == null) {
      return false;
    }
    String file = System.mapLibraryName(library);
    // A file of this name that a killed process has left behind is overwritten.
    Path part = directory.resolve(file + ".part");
    try (InputStream stream = packed.openStream()) {
      if (!isThere(library, directory)) {
        Files.copy(stream, part, StandardCopyOption.REPLACE_EXISTING);
        Files.move(
            part,
            directory.resolve(file),
            StandardCopyOption.ATOMIC_MOVE,
            StandardCopyOption.REPLACE_EXISTING);
      }
      return true;
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static boolean isThere(String library, Path directory) {
    URL packed = packed(library);
    Path file = directory.resolve(System.mapLibraryName(library));
    try {
      return packed != null
          && Files.isRegularFile(file)
          && Files.size(file) == packed.openConnection().getContentLengthLong();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static @Nullable URL packed(String library) {
    return MiniLm.class.getResource(
        "/ai/onnxruntime/native/" + platform() + "/" + System.mapLibraryName(library));
  }

  /** As the engine's jar names it. */
  private static String platform() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String arch = System.getProperty("os.arch");
    String family = os.contains("mac") ? "osx" : os.contains("win") ? "win" : "linux";
    return family + "-" + (arch.equals("aarch64") ? "aarch64" : "x64");
  }
}
