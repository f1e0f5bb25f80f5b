package joshua.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The resources of a process of this machine, as Linux reports them.
 *
 * @param heapMebibytes the reachable heap; 0 if that wasn't requested
 * @param virtualThreads 0 if that wasn't requested
 */
record ProcessReading(
    long residentMebibytes, int threads, int files, long heapMebibytes, int virtualThreads) {
  private static final Pattern TOTAL = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");
  private static final Pattern VIRTUAL = Pattern.compile("\"virtual\": *true");
  private static final long ANSWERS_WITHIN_SECONDS = 60;
  private static final Path JCMD = Path.of(System.getProperty("java.home"), "bin", "jcmd");

  /** The values that can be read without disturbing it. */
  static ProcessReading of(long pid) {
    try (Stream<Path> files = Files.list(Path.of("/proc/%d/fd".formatted(pid)))) {
      String status = Files.readString(Path.of("/proc/%d/status".formatted(pid)));
      return new ProcessReading(
          number(status, "VmRSS") >> 10,
          (int) number(status, "Threads"),
          (int) files.count(),
          0,
          0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same of a JVM, after a collection of its garbage. */
  static ProcessReading afterCollection(long pid) {
    long heap = number(jcmd(pid, "GC.class_histogram"), TOTAL) >> 20;
    int virtual = virtualThreads(pid);
    ProcessReading plain = of(pid);
    return new ProcessReading(plain.residentMebibytes, plain.threads, plain.files, heap, virtual);
  }

  private static int virtualThreads(long pid) {
    String name = "threads-of-attacked-%d.json".formatted(pid);
    Path seen = Path.of("/proc/%d/root/tmp".formatted(pid), name);
    try {
      jcmd(pid, "Thread.dump_to_file", "-overwrite", "-format=json", "/tmp/" + name);
      String dump = Files.readString(seen);
      return (int) VIRTUAL.matcher(dump).results().count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      seen.toFile().delete();
    }
  }

  private static String jcmd(long pid, String... words) {
    try {
      Path said = Files.createTempFile("jcmd", ".txt");
      Process process =
          new ProcessBuilder(
                  Stream.concat(Stream.of(JCMD.toString(), Long.toString(pid)), Stream.of(words))
                      .toList())
              .redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .start();
      try {
        if (!process.waitFor(ANSWERS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
          throw new AssertionError("process %d doesn't answer jcmd".formatted(pid));
        }
        return Files.readString(said);
      } finally {
        process.destroyForcibly();
        Files.deleteIfExists(said);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private static long number(String text, String name) {
    return number(text, Pattern.compile("(?m)^%s:\\s*(\\d+)".formatted(name)));
  }

  private static long number(String text, Pattern pattern) {
    Matcher found = pattern.matcher(text);
    if (!found.find()) {
      throw new AssertionError(
          "no %s in: %s".formatted(pattern, text.substring(0, Math.min(300, text.length()))));
    }
    return Long.parseLong(found.group(1));
  }

  /** The larger of each. */
  ProcessReading most(ProcessReading other) {
    return new ProcessReading(
        Math.max(residentMebibytes, other.residentMebibytes),
        Math.max(threads, other.threads),
        Math.max(files, other.files),
        Math.max(heapMebibytes, other.heapMebibytes),
        Math.max(virtualThreads, other.virtualThreads));
  }

  @Override
  public String toString() {
    return "%d MiB resident, %d MiB reachable, %d + %d virtual threads, %d files"
        .formatted(residentMebibytes, heapMebibytes, threads, virtualThreads, files);
  }
}
