package joshua.state;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * SQLite's native library from the driver's jar, unpacked once into {@code native/} beside the
 * first database that this process opens.
 *
 * <p>The driver alone would write a new copy to the temporary directory at each start, which isn't
 * writable under a read-only root, and leave it there whenever the process is killed. All state is
 * in one {@link AtomicReference}: a JVM loads the library once.
 */
final class NativeLibrary {
  private static final Logger log = LoggerFactory.getLogger(NativeLibrary.class);
  private static final String PATH = "org.sqlite.lib.path";
  private static final String DRIVERS_OWN_PLACE = "org.sqlite.tmpdir";

  private static final AtomicReference<@Nullable FutureTask<Boolean>> placing =
      new AtomicReference<>();

  private NativeLibrary() {}

  /**
   * Points the driver to the library, and returns when it is in place. If it can't be written
   * there, or the user has set a location by a property of the driver, the driver finds its own.
   */
  static void placeBeside(Path file) {
    FutureTask<Boolean> mine = new FutureTask<>(() -> place(file), true);
    FutureTask<Boolean> first = placing.compareAndExchange(null, mine);
    FutureTask<Boolean> task = first == null ? mine : first;
    task.run();
    try {
      task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private static void place(Path file) {
    if (System.getProperty(PATH) != null || System.getProperty(DRIVERS_OWN_PLACE) != null) {
      return;
    }
    try {
      System.setProperty(PATH, unpack(file.resolveSibling("native")).toString());
    } catch (IOException e) {
      log.warn(
          "SQLite's library can't be kept beside {}; the driver unpacks it in the temporary directory",
          file,
          e);
    }
  }

  /**
   * Unpacks the library for this machine, unless it is already there and complete.
   *
   * @return its directory
   */
  static Path unpack(Path parent) throws IOException {
    String name = LibraryLoaderUtil.getNativeLibName();
    String resource = LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name;
    Path directory = parent.resolve("sqlite-" + SQLiteJDBCLoader.getVersion());
    Path library = directory.resolve(name);
    try (InputStream in = LibraryLoaderUtil.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException("there is no " + resource + " in the driver's jar");
      }
      byte[] content = in.readAllBytes();
      if (Files.isRegularFile(library) && Arrays.equals(Files.readAllBytes(library), content)) {
        return directory;
      }
      OwnerOnlyPath.createDirectory(directory);
      Path fresh = Files.createTempFile(directory, name, ".new");
      try {
        Files.write(fresh, content);
        Files.move(
            fresh, library, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(fresh);
      }
    }
    return directory;
  }
}
