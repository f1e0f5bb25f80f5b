package joshua.embeddings;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;

/**
 * The native libraries of the model's two engines, unpacked from their jars into one directory.
 * What is there already is used again: a process that was killed leaves nothing behind that the
 * next one adds to.
 */
final class Natives {
  private static final List<String> ONNX = List.of("onnxruntime", "onnxruntime4j_jni");

  private Natives() {}

  /** Tells both engines where their libraries are, and the one that could download not to. */
  static void prepare(Path directory) {
    unlessSet("DJL_CACHE_DIR", directory.toString());
    unlessSet("ai.djl.offline", "true");
    unlessSet("RUST_FLAVOR", "cpu");
    unlessSet("OPT_OUT_TRACKING", "true");
    Path onnx = directory.resolve("onnxruntime");
    if (ONNX.stream().allMatch(library -> unpack(library, onnx))) {
      unlessSet("onnxruntime.native.path", onnx.toString());
    }
  }

  private static void unlessSet(String name, String value) {
    if (System.getenv(name) == null && System.getProperty(name) == null) {
      System.setProperty(name, value);
    }
  }

  /** Whether the library is there; the engine unpacks it itself where it isn't. */
  private static boolean unpack(String library, Path directory) {
    String file = System.mapLibraryName(library);
    String resource = "/ai/onnxruntime/native/" + platform() + "/" + file;
    URL packed = MiniLm.class.getResource(resource);
    if (packed == null) {
      return false;
    }
    try (InputStream stream = packed.openStream()) {
      Files.createDirectories(directory);
      Path target = directory.resolve(file);
      if (Files.exists(target)
          && Files.size(target) == packed.openConnection().getContentLengthLong()) {
        return true;
      }
      Path whole = Files.createTempFile(directory, file, ".part");
      Files.copy(stream, whole, StandardCopyOption.REPLACE_EXISTING);
      Files.move(
          whole, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As the engine's jar names it. */
  private static String platform() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String arch = System.getProperty("os.arch");
    String family = os.contains("mac") ? "osx" : os.contains("win") ? "win" : "linux";
    return family + "-" + (arch.equals("aarch64") ? "aarch64" : "x64");
  }
}
